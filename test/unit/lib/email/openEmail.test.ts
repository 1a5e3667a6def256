import { openEmail } from '../../../support/reading';

type TransferEncoding = typeof import('../../../../lib/email/transferEncoding');

const mockDecoded: string[] = [];

jest.mock('../../../../lib/email/transferEncoding', () => {
	const actual = jest.requireActual<TransferEncoding>('../../../../lib/email/transferEncoding');
	return {
		decodeBody: (...given: Parameters<TransferEncoding['decodeBody']>) => {
			mockDecoded.push(given[0].trim());
			return actual.decodeBody(...given);
		},
	};
});

const HTML = ['--b', 'Content-Type: text/html', '', '<p>Hello</p>'];
const PDF = ['Content-Type: application/pdf; name=a.pdf', 'Content-Transfer-Encoding: base64'];
const HEADER = ['From: Ann <ann@example.com>', 'Content-Type: multipart/mixed; boundary=b'];
const lines = [...HEADER, 'Subject: Hi', '', ...HTML, '--b', ...PDF, '', 'JVBERg==', '--b--'];
const rawEmail = lines.join('\r\n');

test('opening an email reads what filters look at, and decodes nothing; reading decodes each part once', async () => {
	const opened = await openEmail(rawEmail);
	expect(opened).toMatchObject({
		from: { name: 'Ann', address: 'ann@example.com' },
		subject: 'Hi',
		hasAttachments: true,
	});
	expect(mockDecoded).toEqual([]);
	const { email, files } = await opened.read({
		attachments: true,
		headers: false,
		binaryPrefix: '',
	});
	expect(email).toMatchObject({ text: 'Hello', html: '<p>Hello</p>' });
	expect(files.map(({ content }) => content.toString())).toEqual(['%PDF']);
	expect(mockDecoded).toEqual(['JVBERg==']);
});

test('what is known from elsewhere is asked for only where the raw email does not say', async () => {
	const known = jest.fn(() => ({ subject: 'Known' }));
	expect((await openEmail(rawEmail, known)).subject).toBe('Hi');
	expect(known).not.toHaveBeenCalled();
	expect((await openEmail('', known)).subject).toBe('Known');
});
