import { readEmail } from '../../../../support/reading';
import { storedRtf, writeTnef, type TnefProperty } from '../../../../support/tnef';

const BODY = 0x1000;
const RTF = 0x1009;

const NATIVE = String.raw`{\rtf1\ansi {\b Caf\'e9}}`;

const parts = (...bodies: string[]) =>
	[
		'From: ada@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
		...bodies.map((body) => `--b\r\n${body}\r\n`),
		'--b--\r\n',
	].join('');

/** In the code page 857, which is not known. */
function winmail(...properties: TnefProperty[]): string {
	const headers =
		'Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64';
	return `${headers}\r\n\r\n${writeTnef([], '', 857, properties).toString('base64')}`;
}

test.each([
	['HTML', '<p>Hi</p>', String.raw`{\rtf1\ansi\fromhtml1{\*\htmltag64 <p>}Hi{\*\htmltag72 </p>}}`],
	['text', null, String.raw`{\rtf1\ansi\fromtext Hi\par}`],
])(
	'%s in the RTF of winmail.dat is the text, without a file or a warning',
	async (_kind, html, rtf) => {
		const { email } = await readEmail(parts(winmail([RTF, storedRtf(rtf)])));
		expect(email).toMatchObject({ text: 'Hi', html, attachments: [{ fileName: 'winmail.dat' }] });
		expect(email).not.toHaveProperty('warning');
	},
);

test('a text that was written as RTF is also a file, and a warning says so', async () => {
	const { email, files } = await readEmail(parts(winmail([RTF, storedRtf(NATIVE)])));
	expect(email.text).toBe('Café');
	expect(email.attachments[1]).toMatchObject({
		fileName: 'message.rtf',
		mimeType: 'application/rtf',
		inside: 'winmail.dat',
	});
	expect(files[1]?.content.toString()).toBe(NATIVE);
	expect(email.warning).toMatch(/RTF/);
});

test.each([
	['the email', parts('Content-Type: text/plain\r\n\r\nHi', winmail([RTF, storedRtf(NATIVE)]))],
	['winmail.dat', parts(winmail([RTF, storedRtf(NATIVE)], [BODY, 'Hi']))],
])('RTF is neither a file nor the text if %s has one', async (_place, rawEmail) => {
	const { email } = await readEmail(rawEmail);
	expect(email.text).toBe('Hi');
	expect(email.attachments).toHaveLength(1);
	expect(email).not.toHaveProperty('warning');
});

test('RTF that shows only a picture is a file, and a warning says so', async () => {
	const rtf = String.raw`{\rtf1\ansi{\pict\pngblip 89504e47}}`;
	const { email } = await readEmail(parts(winmail([RTF, storedRtf(rtf)])));
	expect(email).toMatchObject({ text: null, warning: expect.stringContaining('RTF') });
	expect(email.attachments[1]).toMatchObject({ fileName: 'message.rtf' });
});

test('HTML in RTF that is cut off is read, and a warning says that some is missing', async () => {
	const rtf = String.raw`{\rtf1\ansi\fromhtml1{\*\htmltag64 <p>}Hello, this is`;
	const { email } = await readEmail(parts(winmail([RTF, storedRtf(rtf)])));
	expect(email.text).toBe('Hello, this is');
	expect(email.warning).toMatch(/text of winmail\.dat/);
});

test.each<[string, TnefProperty]>([
	['RTF', [RTF, storedRtf(String.raw`{\rtf1\ansi\ansicpg857\fromtext \'87}`)]],
	['8-bit text', [BODY, Buffer.from('\x87', 'latin1')]],
])('an unknown charset of %s in winmail.dat is named in a warning', async (_kind, property) => {
	const { email } = await readEmail(parts(winmail(property)));
	expect(email.warning).toContain('cp857');
});

test('RTF that cannot be read is a warning', async () => {
	const { email } = await readEmail(parts(winmail([RTF, storedRtf('no RTF')])));
	expect(email.text).toBeNull();
	expect(email.warning).toMatch(/text of winmail\.dat/);
});
