import type { EmailLimits } from '../../../../../lib/email/limits';
import { readEmail } from '../../../../support/reading';
import { storedRtf, writeTnef, type TnefFileToWrite } from '../../../../support/tnef';

const mixed = (boundary: string, ...parts: string[]) =>
	[
		'From: ada@example.com',
		`Content-Type: multipart/mixed; boundary=${boundary}`,
		'',
		...parts.flatMap((part) => [`--${boundary}`, part]),
		`--${boundary}--`,
		'',
	].join('\r\n');

const encoded = (header: string, content: Buffer | string) =>
	`${header}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}`;

const WINMAIL = 'Content-Type: application/ms-tnef; name=winmail.dat';

const winmail = (files: TnefFileToWrite[], text = '', header = WINMAIL) =>
	encoded(header, writeTnef(files, text));

const attached = (content: Buffer | string) => encoded('Content-Type: message/rfc822', content);

const fileNamed = (title: string): TnefFileToWrite => ({ title, content: Buffer.from('x') });

const A_PDF = fileNamed('a.pdf');

const html = (body: string) => `Content-Type: text/html\r\n\r\n${body}`;

async function read(rawEmail: string, limits: Partial<EmailLimits> = {}) {
	const { email } = await readEmail(rawEmail, undefined, {}, limits);
	return { ...email, names: email.attachments.map(({ fileName }) => fileName) };
}

test.each([
	['Content-Type: application/vnd.ms-tnef; name=x.bin'],
	['Content-Type: application/octet-stream; name=" WinMail.DAT "'],
])('a winmail.dat is opened by its type or its name: %s', async (header) => {
	expect((await read(mixed('b', winmail([A_PDF], '', header)))).names).toContain('a.pdf');
});

test('a file that only begins like a winmail.dat is not opened', async () => {
	const other = winmail([A_PDF], '', 'Content-Type: application/octet-stream; name=x.dat');
	expect((await read(mixed('b', other))).names).toEqual(['x.dat']);
});

test('a file of a winmail.dat without a type has that of its name', async () => {
	const files = [A_PDF, fileNamed('b.unknown')];
	const { attachments } = await read(mixed('b', winmail(files)));
	expect(attachments.slice(1).map(({ mimeType }) => mimeType)).toEqual([
		'application/pdf',
		'application/octet-stream',
	]);
});

test('a file of a winmail.dat is not the picture that the HTML shows by the location of the winmail.dat', async () => {
	const header = `Content-Location: logo.png\r\n${WINMAIL}`;
	const shown = html('<p>Hello<img src="logo.png"></p>');
	const { attachments } = await read(
		mixed('b', shown, winmail([fileNamed('logo.png')], '', header)),
	);
	expect(attachments).toMatchObject([
		{ fileName: 'winmail.dat' },
		{ fileName: 'logo.png', inline: false },
	]);
});

test('the text is that of the first winmail.dat that has one, not that of an attached email', async () => {
	const later = [winmail([], 'Second'), winmail([], 'Third')];
	expect((await read(mixed('b', winmail([A_PDF]), ...later))).text).toBe('Second');
	expect((await read(mixed('b', winmail([], '\0Hidden')))).text).toBeNull();
	const inner = mixed('c', winmail([], 'Forwarded'));
	expect((await read(mixed('b', attached(inner)))).text).toBeNull();
});

const RULE = '_'.repeat(47);

test.each([
	['HTML that shows nothing', html('<style>p {}</style><p>&nbsp;</p><br>')],
	['the footer of a mailing list', `\r\n${RULE}\r\nList mailing list\r\nhttps://list.example/`],
])('beside %s, the text is that of winmail.dat', async (_what, own) => {
	expect((await read(mixed('b', own, winmail([], 'Hello')))).text).toBe('Hello');
	expect((await read(mixed('b', own, winmail([A_PDF])))).warning).toBeUndefined();
});

test('HTML with a text is not replaced by that of winmail.dat, however long it is', async () => {
	const long = html(`<p>Own</p>${'<br>'.repeat(30_000)}`);
	for (const own of [html('<p>Own'), long]) {
		expect((await read(mixed('b', own, winmail([], 'Hello')))).text).toBe('Own');
	}
});

test('RTF is read in the first of two winmail.dat alone, with a warning', async () => {
	const inRtf = (rtf: string) =>
		encoded(WINMAIL, writeTnef([], '', 1252, [[0x1009, storedRtf(rtf)]]));
	const hidden = inRtf('{\\rtf1 {\\v Hidden}}');
	const { text, warning } = await read(mixed('b', hidden, inRtf('{\\rtf1 Second}')));
	expect([text, warning]).toEqual([null, expect.stringContaining('text of winmail.dat')]);
	expect((await read(mixed('b', hidden))).warning).toBeUndefined();
});

test('the files of a winmail.dat are parts of the email: those of attached emails are counted after them', async () => {
	const inner = mixed('c', 'Content-Type: text/csv; name=inner.csv\r\n\r\nx');
	const rawEmail = mixed('b', winmail([A_PDF, A_PDF]), attached(inner));
	const all = ['winmail.dat', 'a.pdf', 'a (2).pdf', 'attachment.eml', 'inner.csv'];
	expect((await read(rawEmail, { parts: 6 })).names).toEqual(all);
	const limited = await read(rawEmail, { parts: 5 });
	expect(limited.names).toEqual(all.slice(0, -1));
	expect(limited.warning).toContain('attached emails');
});

test('attached emails are opened as many levels deep as they may be', async () => {
	const csv = 'Content-Type: text/csv; name=deep.csv\r\n\r\nx';
	const rawEmail = mixed('b', attached(mixed('c', attached(mixed('d', csv)))));
	const all = ['attachment.eml', 'attachment (2).eml', 'deep.csv'];
	const namesTo = async (attachedLevels: number) =>
		(await read(rawEmail, { attachedLevels })).names;
	expect(await namesTo(2)).toEqual(all);
	expect(await namesTo(1)).toEqual(all.slice(0, 2));
});

test('the parts of all attached emails count together', async () => {
	const inner = (boundary: string, name: string) =>
		attached(mixed(boundary, `Content-Type: text/csv; name=${name}\r\n\r\nx`));
	const rawEmail = mixed('b', inner('c', 'one.csv'), inner('d', 'two.csv'));
	const all = ['attachment.eml', 'attachment (2).eml', 'one.csv', 'two.csv'];
	expect((await read(rawEmail, { parts: 6 })).names).toEqual(all);
	const limited = await read(rawEmail, { parts: 5 });
	expect(limited.names).toEqual(all.slice(0, -1));
	expect(limited.warning).toContain('attached emails');
});

test('an attached email with too many parts does not keep the next one from being opened, and both warnings are there', async () => {
	const many = mixed(
		'c',
		...['1', '2', '3', '4'].map((name) => `Content-Type: a/b; name=${name}\r\n\r\nx`),
	);
	const few = mixed('d', 'Content-Type: text/csv; name=few.csv\r\n\r\nx');
	const damaged = encoded(WINMAIL, 'no TNEF');
	const rawEmail = mixed('b', attached(many), attached(few), damaged);
	const { names, warning } = await read(rawEmail, { parts: 7 });
	expect(names).toContain('few.csv');
	expect(warning).toMatch(/attached emails.*winmail\.dat/);
});

test('an attached email is named by a subject in 8-bit letters, but not by one behind a very long header', async () => {
	const subject = Buffer.from('From: b@example.com\r\nSubject: Größe\r\n\r\nx', 'latin1');
	expect((await read(mixed('b', attached(subject)))).names).toEqual(['Größe.eml']);
	const long = `From: b@example.com\r\nX-Long: ${'x'.repeat(60_000)}\r\nSubject: Late\r\n\r\nx`;
	expect((await read(mixed('b', attached(long)))).names).toEqual(['attachment.eml']);
});

test('only an attached email without a name is named by its subject', async () => {
	const part = 'Content-Type: application/pdf\r\n\r\nSubject: Secret\r\n\r\nx';
	expect((await read(mixed('b', part))).names).toEqual(['attachment.pdf']);
});

test('a picture that the HTML shows by its ID or its location is inline, another file is not', async () => {
	const file = (type: string, address: string) => `Content-Type: ${type}\r\n${address}\r\n\r\nx`;
	const addresses = ['cid:a', 'b.png', 'cid:c'].map((address) => `<img src="${address}">`);
	const { attachments } = await read(
		mixed(
			'b',
			html(`<p>Hi${addresses.join('')}</p>`),
			file('image/png; name=a.png', 'Content-ID: <a>'),
			file('image/png; name=b.png', 'Content-Location: b.png'),
			file('application/pdf; name=c.pdf', 'Content-ID: <c>'),
			file('image/png; name=d.png', 'Content-ID: <d>'),
		),
	);
	expect(attachments.map(({ inline }) => inline)).toEqual([true, true, false, false]);
});

test('the HTML of an attached email shows its own pictures, not those of the email around it', async () => {
	const picture = (id: string) =>
		`Content-Type: image/png; name=${id}.png\r\nContent-ID: <${id}>\r\n\r\nx`;
	const inner = mixed('c', html('<p>Hi<img src="cid:in"><img src="cid:out"></p>'), picture('in'));
	const { attachments } = await read(mixed('b', picture('out'), attached(inner)));
	expect(attachments).toMatchObject([
		{ fileName: 'out.png', inline: false },
		{ fileName: 'attachment.eml', inline: false },
		{ fileName: 'in.png', inline: true, inside: 'attachment.eml' },
	]);
});

test('the email that a report is about is a file, but its own files are not listed', async () => {
	const inner = mixed('c', 'Content-Type: text/csv; name=inner.csv\r\n\r\nx');
	const listed = mixed('b', attached(inner));
	const report = listed.replace('multipart/mixed', 'multipart/report');
	expect((await read(listed)).names).toEqual(['attachment.eml', 'inner.csv']);
	expect((await read(report)).names).toEqual(['attachment.eml']);
});
