import { readEmail } from '../../../reading';
import { REPLIES, type Reply } from './replies';

const OPTIONS = { attachments: false, headers: false, binaryPrefix: '', removeQuotedText: true };

type Kind = 'text' | 'html';

/** Every answer in each of the forms that its mail program writes. */
const CASES = REPLIES.flatMap((reply, index) =>
	(['text', 'html'] as const)
		.filter((kind) => reply[kind] !== undefined)
		.map((kind) => ({
			title: `${index + 1}, ${reply.mailer}, ${reply.language}, ${kind}`,
			reply,
			kind,
		})),
);

/** What does not come out as it should, by its title, and why. */
const KNOWN: Readonly<Record<string, string>> = {
	'76, Yahoo Mail on Android, en, text':
		'The words above stand on one line with what they are above.',
};

function rawEmail({ subject }: Reply, kind: Kind, body: string): string {
	return [
		'From: Grace <grace@example.com>',
		'To: ada@example.com',
		`Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
		'In-Reply-To: <one@example.com>',
		`Content-Type: text/${kind === 'text' ? 'plain' : 'html'}; charset=utf-8`,
		'Content-Transfer-Encoding: base64',
		'',
		Buffer.from(body).toString('base64'),
	].join('\r\n');
}

async function newTextOf({ reply, kind }: { reply: Reply; kind: Kind }): Promise<string | null> {
	const raw = rawEmail(reply, kind, reply[kind] ?? '');
	return (await readEmail(raw, undefined, OPTIONS)).email.text;
}

/** A text that was made of HTML has other empty lines. */
function comparable(text: string | null, kind: Kind): string {
	const lines = (text ?? '').split('\n').map((line) => line.trim());
	return (kind === 'text' ? lines : lines.filter((line) => line !== '' && line !== '>'))
		.join('\n')
		.trim();
}

test('the answers are of many mail programs and languages', () => {
	const programs = new Set(REPLIES.map(({ mailer }) => /^[^ ,]+/.exec(mailer)?.[0]));
	expect(REPLIES.length).toBeGreaterThanOrEqual(60);
	expect(programs.size).toBeGreaterThanOrEqual(12);
	expect(new Set(REPLIES.map(({ language }) => language)).size).toBeGreaterThanOrEqual(15);
});

test.each(CASES)('$title', async ({ title, reply, kind }) => {
	const isRight =
		comparable(await newTextOf({ reply, kind }), kind) === comparable(reply.newText, kind);
	if (isRight !== !(title in KNOWN)) {
		expect(comparable(await newTextOf({ reply, kind }), kind)).toBe(
			comparable(reply.newText, kind),
		);
	}
	expect(isRight).toBe(!(title in KNOWN));
});

test('all but the known ones come out right', async () => {
	expect(Object.keys(KNOWN).filter((known) => !CASES.some(({ title }) => title === known))).toEqual(
		[],
	);
});
