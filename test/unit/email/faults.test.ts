// Only after the faults are in place.
const reading = async () => await import('../../reading');

const mockFaults = new Set<string>();

/** A fault of ours is put into one of the modules. */
const mockFaulty = (name: string) => () => {
	const module = jest.requireActual<Record<string, unknown>>(
		`../../../nodes/EmailIdentity/email/${name}`,
	);
	return Object.fromEntries(
		Object.entries(module).map(([key, value]) => [
			key,
			typeof value !== 'function'
				? value
				: (...given: unknown[]) => {
						if (mockFaults.has(name)) throw new TypeError('secret content of the email');
						return (value as (...given: unknown[]) => unknown)(...given);
					},
		]),
	);
};

jest.mock('../../../nodes/EmailIdentity/email/mimeStructure', () => mockFaulty('mimeStructure')());
jest.mock('../../../nodes/EmailIdentity/email/addresses', () => mockFaulty('addresses')());
jest.mock('../../../nodes/EmailIdentity/email/html/htmlToText', () =>
	mockFaulty('html/htmlToText')(),
);

const rawEmail = [
	'From: Ann <ann@example.com>',
	'Subject: Hi',
	'Content-Type: text/html',
	'',
	'<p>Hello</p>',
].join('\r\n');

const options = { attachments: true, headers: false, binaryPrefix: '' };

afterEach(() => mockFaults.clear());

test.each(['mimeStructure', 'addresses', 'html/htmlToText'])(
	'a fault of this node in %s is reported as one, and the email starts the workflow with what is known',
	async (name) => {
		mockFaults.add(name);
		const { openEmail } = await reading();
		const opened = await openEmail(rawEmail, () => ({ subject: 'Known', text: 'Known text' }));
		const { email, files } = await opened.read(options);
		expect(email).toMatchObject({ parsed: false, text: 'Known text', subject: 'Known' });
		expect(email.warning).toMatch(
			/because of a fault in this node \(TypeError\), not in the email/,
		);
		expect(JSON.stringify(email)).not.toContain('secret content');
		expect(files).toEqual([]);
	},
);

test('a fault that hits also what is known does not keep the email from starting the workflow', async () => {
	mockFaults.add('html/htmlToText');
	for (const raw of [rawEmail, undefined]) {
		const { openEmail } = await reading();
		const opened = await openEmail(raw, () => ({ html: '<p>Known</p>' }));
		const { email } = await opened.read(options);
		expect(email).toMatchObject({ parsed: false, text: null, html: '<p>Known</p>' });
	}
});

test('without a fault the email is read', async () => {
	const { readEmail } = await reading();
	const { email } = await readEmail(rawEmail, undefined, options);
	expect(email).toMatchObject({ text: 'Hello', subject: 'Hi' });
	expect(email).not.toHaveProperty('parsed');
});
