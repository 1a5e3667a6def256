// Only after the faults are in place.
const reading = async () => await import('../../support/reading');

let mockFault = '';

/** Of one of the modules, each function throws. */
const mockFaulty = (name: string) => {
	const module = jest.requireActual<Record<string, unknown>>(`../../../lib/email/${name}`);
	const faulty = (value: (...given: unknown[]) => unknown) =>
		jest.fn((...given: unknown[]) => {
			if (mockFault === name) throw new TypeError('secret content of the email');
			return value(...given);
		});
	const entries = Object.entries(module).map(([key, value]) => [
		key,
		typeof value === 'function' ? faulty(value as () => unknown) : value,
	]);
	return Object.fromEntries(entries) as unknown;
};

jest.mock('../../../lib/email/mime/mimeStructure', () => mockFaulty('mime/mimeStructure'));
jest.mock('../../../lib/email/files/fileTypes', () => mockFaulty('files/fileTypes'));
jest.mock('../../../lib/email/text/blocks/htmlBlocks', () => mockFaulty('text/blocks/htmlBlocks'));

const rawEmail = 'From: ann@example.com\r\nContent-Type: text/html\r\n\r\n<p>Hello</p>';

const options = { attachments: true, headers: false, binaryPrefix: '' };

afterEach(() => (mockFault = ''));

test.each(['mime/mimeStructure', 'text/blocks/htmlBlocks'])(
	'a fault of this node in %s is reported as one, and the email starts the workflow with what is known',
	async (name) => {
		mockFault = name;
		const { openEmail } = await reading();
		const opened = await openEmail(rawEmail, () => ({ subject: 'Known', text: 'Known text' }));
		const { email, files } = await opened.read(options);
		expect(email).toMatchObject({ parsed: false, text: 'Known text', subject: 'Known' });
		expect(email.warning).toMatch(/a fault in this node \(TypeError\), not in the email/);
		expect(JSON.stringify(email)).not.toContain('secret content');
		expect(files).toEqual([]);
	},
);

test('an email is returned with the known HTML if the fault repeats in that HTML', async () => {
	mockFault = 'text/blocks/htmlBlocks';
	for (const raw of [rawEmail, undefined]) {
		const { openEmail } = await reading();
		const opened = await openEmail(raw, () => ({ html: '<p>Known</p>' }));
		const { email } = await opened.read(options);
		expect(email).toMatchObject({ parsed: false, text: null, html: '<p>Known</p>' });
	}
});

test('a fault while files are looked for leaves them unknown', async () => {
	mockFault = 'files/fileTypes';
	const { openEmail } = await reading();
	const opened = await openEmail('From: ann@example.com\r\nContent-Type: application/pdf\r\n\r\nx');
	expect(await opened.listFiles()).toBeUndefined();
	expect((await opened.read(options)).email).toMatchObject({ parsed: false, attachments: [] });
});
