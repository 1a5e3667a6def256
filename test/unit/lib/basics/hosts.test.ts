import { isMailFor } from '../../../../lib/basics/addresses';
import { parseUrl, toAsciiHost } from '../../../../lib/basics/hosts';

describe('international hosts', () => {
	const parser = globalThis.URL;
	let parsed: string[] = [];

	beforeEach(() => {
		parsed = [];
		const note = (url: unknown) => void (/[^ -~]/.test(String(url)) && parsed.push(String(url)));
		globalThis.URL = class extends parser {
			constructor(url: string, base?: string) {
				note(url);
				super(url, base);
			}
		};
	});

	afterEach(() => {
		globalThis.URL = parser;
	});

	let names = 0;
	const domain = () => `${'漢'.repeat(50)}${++names}.`.repeat(4).concat('example');

	test.each([
		['a label', `${'ü'.repeat(64)}.example`],
		['a host', `${'ü'.repeat(60)}.`.repeat(5)],
	])('%s that is too long for the DNS is not converted', (_what, host) => {
		expect(toAsciiHost(host)).toBeUndefined();
		expect(parseUrl(`https://me@${host}:8443/hook`)).toBeUndefined();
		expect(parsed).toEqual([]);
	});

	test.each([
		['2,000 recipients of one mail', 2000, 1],
		['5,000 identities', 1, 5000],
	])('%s', (_what, recipients, identities) => {
		const work = (factor: number) => {
			parsed = [];
			const own = Array.from({ length: identities * factor }, domain);
			const to = Array.from({ length: recipients * factor }, () => `info@${domain()}`);
			for (const identity of own) for (const recipient of to) isMailFor(identity, recipient);
			return parsed.length;
		};
		expect(work(2)).toBeLessThanOrEqual(2.5 * work(1));
		expect(parsed.length).toBeGreaterThan(0);
	});
});

test.each([
	['https://Bücher.example:8443/a?b=ü', undefined],
	[' https:\\\\bü\tcher.example\\a\n', undefined],
	['http://b%C3%BCcher.example/', undefined],
	['https://[::1]:8080/', undefined],
	['//bücher.example/next', 'https://example.com/api/'],
	['?page=2', 'https://example.com/api/list'],
	['next/ü', 'https://example.com/api/list'],
	['example.com/hook', undefined],
	['', undefined],
])('%j is parsed as the URL standard has it', (text, base) => {
	const parse = () => new URL(text, base).href;
	const parsed = parseUrl(text, base);
	if (parsed) expect(parsed.href).toBe(parse());
	else expect(parse).toThrow();
});
