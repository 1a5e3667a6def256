import type { ListedFile } from '../../../lib/email';
import { openEmail, readEmail } from '../../support/reading';
import { readCorpus } from './support/corpus';

const mixed = (parts: string[], type = 'mixed', boundary = 'b') =>
	[
		`Content-Type: multipart/${type}; boundary=${boundary}`,
		'',
		...parts.flatMap((part) => [`--${boundary}`, part]),
		`--${boundary}--`,
		'',
	].join('\r\n');

const email = (content: string) => `From: ada@example.com\r\nSubject: Hi\r\n${content}`;

const pdf = (name: string) =>
	`Content-Type: application/pdf; name=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(name).toString('base64')}`;

const eml = (name: string, content: string) =>
	`Content-Type: message/rfc822; name=${name}\r\n\r\n${content}`;

const encoded = (content: string, header: string) =>
	`${header}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}`;

/** An email within an email, so often; each of them has a PDF with the number of its level. */
function nested(levels: number, level = 0): string {
	const inner = level < levels ? [eml(`${level}.eml`, nested(levels, level + 1))] : [];
	return email(mixed([pdf(`${level}.pdf`), ...inner], 'mixed', `level-${level}-`));
}

/** Each file's name, with the email that it is in. */
const filesOf = async (rawEmail: string, limits = {}) => {
	const { email: read, files } = await readEmail(rawEmail, undefined, {}, limits);
	const listed = await (await openEmail(rawEmail, undefined, limits)).listFiles();
	const nameOf = ({ fileName, inside }: ListedFile) => [fileName, inside].join(' in ');
	const names = read.attachments.map(nameOf);
	expect(listed?.map(nameOf)).toEqual(names);
	const contents = Object.fromEntries(files.map((file) => [file.fileName, `${file.content}`]));
	return { names, contents, warning: read.warning };
};

test('the files of attached emails are files of the email, down to three levels', async () => {
	const { names, contents, warning } = await filesOf(nested(5));
	const inner = [0, 1, 2].flatMap((level) =>
		['pdf', 'eml'].map((type) => `${level + 1}.${type} in ${level}.eml`),
	);
	expect(names).toEqual(['0.pdf in ', '0.eml in ', ...inner]);
	expect(contents).toMatchObject({ '0.pdf': '0.pdf', '3.pdf': '3.pdf', '0.eml': nested(5, 1) });
	expect(warning).toBeUndefined();
});

const INNER = email(mixed([pdf('inner.pdf')], 'mixed', 'inner'));
const X_EML = eml('x.eml', INNER);

test.each<[string, string]>([
	['in base64', encoded(INNER, 'Content-Type: message/rfc822; name=x.eml')],
	['as bytes', encoded(INNER, 'Content-Type: application/octet-stream; name=x.eml')],
	['with the name of its subject', eml('"Offer 4.711"', INNER)],
	['inline', `Content-Disposition: inline\r\n${eml('x.eml', INNER)}`],
	['as its only content', eml('x.eml', email(pdf('inner.pdf')))],
])('an email that is attached %s is opened', async (_name, part) => {
	expect((await filesOf(email(mixed([part])))).contents).toMatchObject({
		'inner.pdf': 'inner.pdf',
	});
});

test.each<[string, string]>([
	['a report', email(mixed([X_EML], 'report'))],
	['a forwarded report', email(mixed([eml('r.eml', email(mixed([X_EML], 'report', 'r')))]))],
	['what is no email', email(mixed([eml('x.eml', 'Hello\r\n\r\nText')]))],
	['a text file', email(mixed([encoded(INNER, 'Content-Type: text/plain; name=x.txt')]))],
])('%s is not opened', async (_name, rawEmail) => {
	expect((await filesOf(rawEmail)).names.join()).not.toContain('inner.pdf');
});

test('names are unique within the whole email, and its own files keep theirs', async () => {
	const forwarded = eml('x.eml', email(mixed([pdf('a.pdf'), X_EML], 'mixed', 'inner-')));
	const { names } = await filesOf(email(mixed([forwarded, pdf('a.pdf')])));
	expect(names).toEqual([
		'x.eml in ',
		'a.pdf in ',
		'a (2).pdf in x.eml',
		'x (2).eml in x.eml',
		'inner.pdf in x (2).eml',
	]);
});

test('a wanted file is found in an attached email, and only it is decoded', async () => {
	const isWanted = ({ fileName }: { fileName: string }) => fileName.endsWith('.pdf');
	const rawEmail = readCorpus('forwarded-as-attachment.eml');
	const options = { binaryPrefix: 'attachment_', isWanted };
	const { email: read, files } = await readEmail(rawEmail, undefined, options);
	const inside: unknown = expect.stringMatching(/\.eml$/);
	expect(read.attachments).toMatchObject([{ inside, binaryProperty: 'attachment_0' }]);
	expect(files).toHaveLength(1);
});

test('only the files of the first attached emails are listed if they have too many parts, with a warning', async () => {
	const tiny = eml('x.eml', email(mixed([pdf('a.pdf'), pdf('b.pdf')], 'mixed', 'tiny')));
	const { names, warning } = await filesOf(email(mixed([tiny, tiny, tiny])), { parts: 6 });
	expect(names).toHaveLength(5);
	expect(warning).toContain('attached emails');
});

test('winmail.dat that is damaged stays one file, and a warning says that its files are missing', async () => {
	const { names, warning } = await filesOf(readCorpus('outlook-tnef-winmail.eml'));
	expect(names).toEqual(['winmail.dat in ']);
	expect(warning).toContain('winmail.dat');
});
