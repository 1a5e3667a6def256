import { startSandbox, type DialectName, type Sandbox } from '../../../../sandbox';
import { startDeliveryHost, storedSubscription, type DeliveryHost } from './deliveries';

/** Every known way in which a service mixes accounts, as the sandbox plays it after those that were seen. */

/** The key's own; the second one is shared with its workspace; the third one's owner shares nothing. */
const OWN = 'sales@example.test';
const SHARED = 'team@mailbox.test';
const COLLEAGUE = 'colleague@mailbox.test';
/** Of another account, in another workspace. */
const STRANGER = 'person@other.test';

let sandbox: Sandbox;
let host: DeliveryHost;
let letters = 0;

afterEach(async () => {
	await Promise.all([sandbox.stop(), host.stop()]);
});

/** A trigger with its subscription for all identities, as an activation leaves them, and a colleague's account. */
async function start(dialect: DialectName): Promise<void> {
	sandbox = await startSandbox({ dialect });
	const { apiKey } = sandbox.accounts.owner;
	host = await startDeliveryHost({}, { credential: { baseUrl: sandbox.baseUrl, apiKey } });
	const url = host.urlFor({}, apiKey);
	const { ownerId, workspaceId } = sandbox.addWebhook({ url });
	const told = sandbox.dialect.style === 'kurrier' ? { ownerId, workspaceId } : { ownerId };
	host.staticData = { subscription: storedSubscription(url, told) };
	sandbox.addIdentity({ ...ofColleague(), value: SHARED, sharedWithWorkspace: true });
	sandbox.addIdentity({ ...ofColleague(), value: COLLEAGUE });
}

/** Another owner in the workspace of the key. */
function ofColleague() {
	const [owner, other] = sandbox.dumpState().accounts;
	return { ownerId: other!.userId, workspaceId: owner!.workspaceId };
}

/** An email whose own header names the key's address, whatever its recipient. @returns the answer to each delivery of it */
async function mail(to: string, header = 'X-Mailer: none') {
	const id = `${++letters}@sender.example`;
	const raw = `${header}\r\nFrom: zoe@sender.example\r\nTo: ${OWN}\r\nSubject: ${to}\r\nMessage-ID: <${id}>\r\n\r\nHello`;
	const { deliveries, messages } = await sandbox.receiveMail(raw, {
		to,
		fields: { deliveredTo: null },
	});
	return { answers: await answered(deliveries), message: messages[0]! };
}

async function answered(deliveries: Awaited<ReturnType<Sandbox['receiveMail']>>['deliveries']) {
	return (await deliveries).map(({ status, responseBody }) => {
		const { reason } = JSON.parse(responseBody) as { reason?: string };
		return reason ?? status;
	});
}

const subjects = () =>
	host
		.started()
		.flat(2)
		.map(({ json }) => json.subject);
const requests = () => sandbox.requests().map(({ method, path }) => `${method} ${path}`);

describe('where the service delivers every account’s mail, and has no single messages', () => {
	beforeEach(async () => await start('observed'));

	test('only the own account’s starts the workflow', async () => {
		expect((await mail(STRANGER)).answers).toEqual(['foreign']);
		expect((await mail(OWN)).answers).toEqual([200]);
		expect(requests()).toEqual([]);
		expect((await mail(COLLEAGUE)).answers).toEqual(['foreign']);

		expect(subjects()).toEqual([OWN]);
		expect(requests()).toEqual([expect.stringMatching(/^GET \/messages\//)]);
	});

	// A stranger who is turned away at the key's own address could otherwise come in through a colleague's.
	test.each(['Delivered-To', 'X-Original-To', 'Envelope-To'])(
		'without the service’s word, the sender’s %s is not believed',
		async (name) => {
			const header = `Received: from a by b for <${OWN}>; Sat, 21 Nov 2026 10:00:00 +0000\r\n${name}: ${OWN}`;

			expect((await mail(COLLEAGUE, header)).answers).toEqual(['foreign']);
			expect(subjects()).toEqual([]);
		},
	);
});

describe('where the service delivers what the key’s user may read', () => {
	beforeEach(async () => await start('fork'));

	test('a shared identity’s mail starts the workflow, because the key may read it', async () => {
		const { answers, message } = await mail(SHARED);

		expect([answers, subjects()]).toEqual([[200], [SHARED]]);
		expect(requests()).toEqual([`GET /messages/${message.fields.id}`]);
	});

	test('others’ is not delivered, and does not start the workflow where it is all the same', async () => {
		for (const to of [STRANGER, COLLEAGUE]) {
			const { answers, message } = await mail(to);
			expect(answers).toEqual([]);
			const [webhook] = sandbox.webhooks();
			const order = { messageId: message.fields.id, webhookId: webhook!.id };
			expect(await answered(sandbox.deliver(order))).toEqual(['foreign']);
		}

		expect(subjects()).toEqual([]);
	});
});
