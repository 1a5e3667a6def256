import { itemsOf } from './support/requests';

const MAX_REPEATED = 30_000_000;

const DEFAULTS = { headers: 0, name: 8, value: 8, text: 10, recipients: 1, files: 1500 };

type Shape = Partial<typeof DEFAULTS>;

const times = (count: number, make: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => make(index));

function emailOf(shape: Shape): string {
	const { headers, name, value, text, recipients, files } = { ...DEFAULTS, ...shape };
	return [
		'Received: by mx.example',
		'From: Ada <ada@sender.example>',
		`To: ${times(recipients, (index) => `r${index}@lists.example`).join(', ')}`,
		'Content-Type: multipart/mixed; boundary=e',
		...times(headers, (index) => `X-${index}-${'n'.repeat(name)}: ${'v'.repeat(value)}`),
		'',
		'--e',
		'',
		'\u0001'.repeat(text),
		...times(
			files,
			(index) => `--e\r\nContent-Disposition: attachment; filename=${index}.csv\r\n\r\nx`,
		),
		'--e--',
		'',
	].join('\r\n');
}

async function itemsFor(shape: Shape) {
	const rawEmail = emailOf(shape);
	// An email with too large a header is not parsed, and has no attachments then.
	const items = await itemsOf({
		rawEmail,
		parameters: { output: 'attachment', includeHeaders: true, downloadAttachments: false },
	});
	return { size: rawEmail.length, items };
}

test.each<[string, Shape]>([
	['very many header fields', { headers: 2500, name: 20, value: 100 }],
	['header fields with very long names', { headers: 2500, name: 120, value: 1 }],
	['very much text, which JSON escapes', { text: 1_500_000 }],
	['very many recipients', { recipients: 10_000 }],
])('the items of an email with very many files and %s are bounded', async (_what, shape) => {
	const { size, items } = await itemsFor(shape);
	expect(items).toHaveLength(1500);
	// The first item has all of the email, and each of them its own file's entry.
	expect(JSON.stringify(items).length).toBeLessThan(MAX_REPEATED + 8 * size + 500 * 1500);
});

test('the first item has all fields of the email, and so do all items of a short email', async () => {
	const { items: crowd } = await itemsFor({ text: 1_000_000, files: 300 });
	expect(String(crowd[0]?.json.text).trimEnd()).toHaveLength(1_000_000);
	expect(crowd.at(-1)?.json).toMatchObject({
		text: '',
		attachment: { fileName: '299.csv' },
	});

	const { items } = await itemsFor({ headers: 3, files: 5 });
	expect(items.map(({ json }) => Object.keys(json.headers as object).length)).toEqual(
		items.map(() => 7),
	);
});
