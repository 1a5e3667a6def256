import fc from 'fast-check';
import { IPv4, IPv6, parse } from 'ipaddr.js';
import { isPublicAddress } from '../../../nodes/EmailIdentity/api/webhookUrl';

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

/** The way in which the address part of a URL spells it. */
const asInUrl = (bytes: number[]): string => {
	const text = bytes.length === 4 ? new IPv4(bytes).toString() : `[${new IPv6(bytes).toString()}]`;
	return new URL(`https://${text}/`).hostname.replace(/^\[|\]$/g, '');
};

const octet = fc.integer({ min: 0, max: 255 });
const anyAddress = fc.oneof(
	fc.array(octet, { minLength: 4, maxLength: 4 }),
	fc.array(octet, { minLength: 16, maxLength: 16 }),
);

/** Every range that the library knows: its first address as bytes, and its length. */
const ranges = [new IPv4([8, 8, 8, 8]), new IPv6(new Array<number>(16).fill(0))].flatMap(
	(address) => {
		const { SpecialRanges } = address as unknown as {
			SpecialRanges: Record<string, [IPv4 | IPv6, number] | Array<[IPv4 | IPv6, number]>>;
		};
		return Object.values(SpecialRanges)
			.flatMap((given) => (Array.isArray(given[0]) ? given : [given]) as Array<[IPv4, number]>)
			.map(([first, length]) => ({ bytes: first.toByteArray(), length }));
	},
);

/** One bit of a range's first address turned, and everything behind it random: within the range, or beside it. */
const nearRange = fc
	.tuple(fc.constantFrom(...ranges), fc.nat(127), fc.array(octet, { minLength: 16, maxLength: 16 }))
	.map(([{ bytes, length }, position, tail]) => {
		const turned = position % (length + 1);
		return bytes.map((byte, index) => {
			const kept = Math.min(8, Math.max(0, length - index * 8));
			const mask = (0xff << (8 - kept)) & 0xff;
			const bit = turned < length && turned >> 3 === index ? 0x80 >> (turned & 7) : 0;
			return ((byte & mask) | ((tail[index] ?? 0) & ~mask & 0xff)) ^ bit;
		});
	});

test('the library knows ranges to compare with', () => {
	expect(ranges.length).toBeGreaterThan(30);
});

test('an address is public where a library with the same registries says so', () => {
	fc.assert(
		fc.property(fc.oneof(anyAddress, nearRange), (bytes) => {
			const address = asInUrl(bytes);
			expect([address, isPublicAddress(address)]).toEqual([
				address,
				isPublicForTheLibrary(address),
			]);
		}),
		{ numRuns: 5000 },
	);
});

test.each(ranges.map(({ bytes, length }) => [asInUrl(bytes), length, bytes] as const))(
	'%s/%i is judged as by the library, from its first to its last address',
	(_first, length, bytes) => {
		const last = bytes.map(
			(byte, index) => byte | (0xff >> Math.min(8, Math.max(0, length - index * 8))),
		);
		for (const address of [asInUrl([...bytes]), asInUrl(last)]) {
			expect(isPublicAddress(address)).toBe(isPublicForTheLibrary(address));
		}
	},
);
