import fc from 'fast-check';
import { IPv4, IPv6, parse } from 'ipaddr.js';
import { isPublicAddress, webhookUrlProblem } from '../../../nodes/EmailIdentity/api/webhookUrl';

test.each([
	'https://example.com/hook',
	'https://n8n.example.co.uk:8443/webhook/1?token=x',
	'https://8.8.8.8/hook',
	'https://[2606:4700:4700::1111]/hook',
	'https://xn--bcher-kva.example/hook',
	'https://localhost.example.com/hook',
])('%s can be delivered to', (url) => {
	expect(webhookUrlProblem(url, false)).toBeUndefined();
});

test.each([
	['http://example.com/hook', /start with https/],
	['ftp://example.com/hook', /start with https/],
	['example.com/hook', /complete URL/],
	['', /complete URL/],
	['https://user:secret@example.com/', /user name or password/],
	['https://localhost/hook', /private network/],
	['https://LOCALHOST./hook', /private network/],
	['https://n8n/hook', /private network/],
	['https://n8n.default.svc.cluster.local/hook', /private network/],
	['https://n8n.CORP./hook', /private network/],
	['https://169.254.169.254/latest', /169\.254/],
	['https://[::1]/', /::1/],
])('%s is refused with the reason', (url, reason) => {
	expect(webhookUrlProblem(url, false)).toMatch(reason);
});

test('with private addresses allowed only what is no web address is refused', () => {
	expect(webhookUrlProblem('http://localhost:5678/webhook/1', true)).toBeUndefined();
	expect(webhookUrlProblem('https://10.0.0.1/', true)).toBeUndefined();
	expect(webhookUrlProblem('file:///etc/passwd', true)).toMatch(/https/);
	expect(webhookUrlProblem('https://user@host/', true)).toMatch(/user name/);
});

const privateAddress = fc.oneof(
	fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
	fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
	fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
	fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
	fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
);

test('a private address is refused in every spelling', () => {
	fc.assert(
		fc.property(privateAddress, ([a, b, c, d]) => {
			const number = ((a * 256 + b) * 256 + c) * 256 + d;
			const hex = number.toString(16).padStart(8, '0');
			const spellings = [
				`${a}.${b}.${c}.${d}`,
				String(number),
				`0x${hex}`,
				`0${number.toString(8)}`,
				`0x${a.toString(16)}.${b * 65536 + c * 256 + d}`,
				`[::ffff:${a}.${b}.${c}.${d}]`,
				`[::ffff:${hex.slice(0, 4)}:${hex.slice(4)}]`,
				`[64:ff9b::${hex.slice(0, 4)}:${hex.slice(4)}]`,
			];
			for (const host of spellings) {
				expect(webhookUrlProblem(`https://${host}/hook`, false)).toEqual(expect.any(String));
			}
		}),
	);
});

/** Where an IPv4 address stands in an IPv6 address of these of the library's ranges. */
const WRAPPED_AT: Readonly<Record<string, number>> = { ipv4Mapped: 12, rfc6052: 12, '6to4': 2 };

/** What the library says, of the wrapped address where there is one. */
function isPublicForTheLibrary(text: string): boolean {
	const address = parse(text);
	// IPv4 as it was written in IPv6 long ago (RFC 4291, section 2.5.5.1), which the library takes for any address.
	if (address instanceof IPv6 && address.parts.slice(0, 6).every((part) => part === 0))
		return false;
	const start = address instanceof IPv6 ? WRAPPED_AT[address.range()] : undefined;
	return start === undefined
		? address.range() === 'unicast'
		: new IPv4(address.toByteArray().slice(start, start + 4)).range() === 'unicast';
}

/** An address as the host of a URL spells it. */
function inUrl(value: bigint, length: number): string {
	const bytes = Array.from({ length }, (_, index) =>
		Number((value >> BigInt(8 * (length - 1 - index))) & 0xffn),
	);
	const text = length === 4 ? new IPv4(bytes).toString() : `[${new IPv6(bytes).toString()}]`;
	return new URL(`https://${text}/`).hostname.replace(/^\[|\]$/g, '');
}

/** The first and the last address of every range that the library knows, and their neighbours outside. */
const edges = [new IPv4([8, 8, 8, 8]), new IPv6(new Array<number>(16).fill(0))].flatMap(
	(address) => {
		const { SpecialRanges } = address as unknown as {
			SpecialRanges: Record<string, [IPv4 | IPv6, number] | Array<[IPv4 | IPv6, number]>>;
		};
		return Object.values(SpecialRanges)
			.flatMap((given) => (Array.isArray(given[0]) ? given : [given]) as Array<[IPv4, number]>)
			.flatMap(([begin, prefix]) => {
				const bytes = begin.toByteArray();
				const bits = 8 * bytes.length;
				const first = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
				const last = first | ((1n << BigInt(bits - prefix)) - 1n);
				return [first - 1n, first, last, last + 1n]
					.filter((value) => value >= 0n && value < 1n << BigInt(bits))
					.map((value) => inUrl(value, bytes.length));
			});
	},
);

test('an address is public where a library with the same registries says so', () => {
	expect(edges.length).toBeGreaterThan(100);
	const judged = edges.map((address) => [address, isPublicAddress(address)]);
	expect(judged).toEqual(edges.map((address) => [address, isPublicForTheLibrary(address)]));
});
