import { createDeliveryMemory } from '../../../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import { checking, emailWith, outcomeOf, SCOPE, type Told } from '../support/requests';

const HOUR = 60 * 60_000;
const TEN = Array.from({ length: 10 }, () => 'started');

const reply = (from: string, ...header: string[]) =>
	emailWith('Auto-Submitted: auto-replied', `From: ${from}`, ...header);
const bounce = (about: string) =>
	emailWith(`X-Failed-Recipients: ${about}`, 'From: mailer-daemon@mx.example.com');

afterEach(() => {
	jest.restoreAllMocks();
});

async function deliver(rawEmail: string, told: Told, times = 1): Promise<string[]> {
	const parameters = { ignoreDuplicates: 'off' as const, ...told.parameters };
	const outcomes: string[] = [];
	while (outcomes.length < times) {
		outcomes.push(await outcomeOf({ rawEmail, ...told, parameters }));
	}
	return outcomes;
}

const newNode = (): Told => ({ memory: createDeliveryMemory() });

test.each([
	['a reply', reply('robot@example.com')],
	['a reply, whatever the case of its letters', reply('Robot <ROBOT@example.com>')],
	['a bounce', bounce('robot@example.com')],
	[
		'a bounce that says it in its text',
		`${emailWith('From: MAILER-DAEMON@a.example')}Final-Recipient: rfc822; robot@example.com`,
	],
])('a loop ends: %s', async (_what, rawEmail) => {
	expect(await deliver(rawEmail, newNode(), 12)).toEqual([...TEN, 'loop', 'loop']);
});

test('the same sender can start the workflow again after an hour', async () => {
	const node = newNode();
	const now = jest.spyOn(performance, 'now').mockReturnValue(Date.UTC(2026, 10, 21));
	await deliver(reply('robot@example.com'), node, 11);
	now.mockReturnValue(Date.UTC(2026, 10, 21) + HOUR);
	expect(await deliver(reply('robot@example.com'), node)).toEqual(['started']);
});

test('other senders, bounces, lists, people and nodes do not count for a loop', async () => {
	const node = newNode();
	await deliver(reply('robot@example.com'), node, 11);
	await deliver(bounce('nobody@example.com'), node, 11);
	const others = [reply('other@example.com'), bounce('other@example.com')];
	for (const other of others) expect(await deliver(other, node)).toEqual(['started']);
	const robot = 'From: robot@example.com';
	const harmless = [emailWith(robot, 'List-Id: <a.b>'), emailWith(robot)];
	for (const mail of harmless) expect(await deliver(mail, node, 11)).not.toContain('loop');
	const scope = { ...SCOPE, webhookPath: 'w-2' };
	expect(await deliver(reply('robot@example.com'), { ...node, scope })).toEqual(['started']);
});

test('a robot that does not say so is stopped, and a person with several subjects is not', async () => {
	const node = newNode();
	const answer = (subject: string) =>
		emailWith('In-Reply-To: <1@a.test>', 'From: robot@example.com', `Subject: ${subject}`);
	const outcomes = await deliver(answer('Re: Order 17'), node, 32);
	expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(30);
	expect(await deliver(answer('AW: Re: order 17'), node)).toEqual(['loop']);
	expect(await deliver(answer('Re: Order 18'), node)).toEqual(['started']);
});

test('emails that were ignored or filtered out do not count for a loop', async () => {
	const node: Told = { ...newNode(), parameters: { filters: { from: '*wanted*' } } };
	await deliver(reply('robot@example.com'), node, 11);
	expect(await deliver(reply('"wanted" <robot@example.com>'), node)).toEqual(['started']);
});

test('with Sender Check, ten forged replies or bounces do not block a genuine one', async () => {
	const checked = (...found: Parameters<typeof checking>): Told => ({
		...node,
		parameters: { senderCheck: 'add' },
		authenticateSender: checking(...found),
	});
	const node = newNode();
	for (const email of [reply('robot@example.com'), bounce('robot@example.com')]) {
		expect(await deliver(email, checked('fail', 'example.com'), 11)).toContain('loop');
		expect(await deliver(email, checked('pass', 'evil.example'), 11)).toContain('loop');
		expect(await deliver(email, checked('pass', 'example.com'), 11)).toEqual([...TEN, 'loop']);
	}
});

test('with Sender Check, an added field that makes emails automatic does not block genuine ones', async () => {
	const checked = (...signed: string[]): Told => ({
		...node,
		parameters: { senderCheck: 'add' },
		authenticateSender: checking('pass', 'example.com', signed),
	});
	const node = newNode();
	const notice = reply('ada@example.com');
	expect(await deliver(notice, checked('from', 'subject'), 11)).toEqual([...TEN, 'loop']);
	const genuine = checked('from', 'subject', 'auto-submitted');
	expect(await deliver(notice, genuine, 11)).toEqual([...TEN, 'loop']);
});
