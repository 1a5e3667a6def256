import * as fc from 'fast-check';

import type { DnsRecordType } from '../../../../nodes/EmailIdentity/dns/resolver';
import { toDomainToCheck } from '../../../../nodes/EmailIdentity/resources/identity/dnsAudit';
import { domain } from '../../resources/identity/identities';
import { createZoneResolver, type Zones } from '../zoneResolver';
import { check } from './check';
import { RIGHT_DOMAINS, rsaKey, type RightDomain } from './rightDomains';

test.each(RIGHT_DOMAINS)('nothing is found where all is as $provider wants it', async (right) => {
	const found = await check(createZoneResolver(right.zones), right.identity);

	expect(found).toEqual({ status: 'checked', problems: [] });
});

/** A record of a zone, and what it is there for. */
interface Place {
	right: RightDomain;
	name: string;
	type: DnsRecordType;
	index: number;
}

type Records = Partial<Record<DnsRecordType, string[]>>;

const recordsAt = (zones: Zones, name: string): Records => zones[name] as Records;

const PLACES: Place[] = RIGHT_DOMAINS.flatMap((right) =>
	Object.keys(right.zones).flatMap((name) =>
		Object.entries(recordsAt(right.zones, name)).flatMap(([type, records]) =>
			records.map((_, index) => ({ right, name, type: type as DnsRecordType, index })),
		),
	),
);

const recordAt = ({ right, name, type, index }: Place): string =>
	recordsAt(right.zones, name)[type]?.[index] ?? '';

/** Why a record may be as it likes: it is there for others than mail, or one of several of which one will do. */
const OF_NO_CONCERN: ReadonlyArray<(place: Place) => boolean> = [
	(place) => recordAt(place) === 'google-site-verification=1',
	// SPF bears two names that are not there.
	({ type }) => type === 'A',
	// It only sends: where its mail goes is its own affair.
	({ right, type }) => type === 'MX' && right.identity.incomingDomain === false,
	// What stands behind the alias is the provider's.
	({ name, type }) => name === 'u1.wl.sendgrid.net' && type === 'TXT',
];

const MEANT = PLACES.filter((place) => !OF_NO_CONCERN.some((excuse) => excuse(place)));

/** The zones without one record, or with another in its place. */
function changed({ right, name, type, index }: Place, replacement?: string): Zones {
	const records = recordsAt(right.zones, name)[type] ?? [];
	const others = records.filter((_, at) => at !== index);
	const kept = replacement === undefined ? others : [...others, replacement];
	return { ...right.zones, [name]: { ...right.zones[name], [type]: kept } };
}

test('every record that is gone is missed', async () => {
	for (const place of MEANT) {
		const { right, name, type } = place;
		const { problems } = await check(createZoneResolver(changed(place)), right.identity);

		const where = { provider: right.provider, name, type };
		expect({ ...where, found: problems.length > 0 }).toEqual({ ...where, found: true });
	}
});

/** What might stand in the place of a record after somebody touched it. */
const REPLACEMENTS: { [Type in DnsRecordType]?: fc.Arbitrary<string> } = {
	CNAME: fc.domain(),
	MX: fc.tuple(fc.nat(40), fc.domain()).map((record) => record.join(' ')),
	TXT: fc.oneof(fc.constantFrom('', 'v=DMARC1', 'v=DKIM1; p='), fc.string({ maxLength: 30 })),
};

const touched = fc
	.constantFrom(...MEANT)
	.chain((place) =>
		fc.record({ place: fc.constant(place), by: REPLACEMENTS[place.type] ?? fc.constant('') }),
	);

test('whatever somebody puts in the place of a record is found', async () => {
	await fc.assert(
		fc.asyncProperty(touched, async ({ place, by }) => {
			const { problems } = await check(
				createZoneResolver(changed(place, by)),
				place.right.identity,
			);

			expect(problems.length).toBeGreaterThan(0);
		}),
		{ numRuns: 500 },
	);
});

/** Where the service itself wants a text: one that says something else, and is right by itself, is found, too. */
const WANTED_TEXTS = MEANT.filter(
	({ right, name, type }) =>
		type === 'TXT' &&
		toDomainToCheck(domain(right.identity))?.required.some(
			(record) => record.type === 'TXT' && record.name === name && !name.startsWith('_dmarc.'),
		),
);

test.each(WANTED_TEXTS)(
	'a right record of somebody else in the place of $name is different ($right.provider)',
	async (place) => {
		const other = place.name.includes('_domainkey') ? rsaKey() : 'v=spf1 ip4:198.51.100.0/24 -all';
		const { problems } = await check(
			createZoneResolver(changed(place, other)),
			place.right.identity,
		);

		expect(problems.map(({ code }) => code)).toEqual(['dnsRecordDifferent']);
	},
);

test('one more SPF, DMARC or DKIM record than there can be is found', async () => {
	const doubled = MEANT.filter((place) => place.type === 'TXT' && recordAt(place).startsWith('v='));
	for (const { right, name, index } of doubled) {
		const texts = recordsAt(right.zones, name).TXT ?? [];
		const twice = { ...right.zones[name], TXT: [...texts, texts[index]!] };
		const zones = { ...right.zones, [name]: twice };
		const { problems } = await check(createZoneResolver(zones), right.identity);

		expect({ name, found: problems.length > 0 }).toEqual({ name, found: true });
	}
});

test('a name that fails is unknown, and nothing else is said of it', async () => {
	for (const { right, name } of PLACES) {
		const resolver = createZoneResolver({ ...right.zones, [name]: { failed: 'SERVFAIL' } });
		const { status, problems } = await check(resolver, right.identity);

		const isAsked = resolver.asked.some((question) => question.startsWith(`${name} `));
		const isFollowed = !isAsked && status !== 'checked';
		const expected = isAsked || isFollowed ? ['dnsUnknown'] : [];
		expect({ name, found: problems.map(({ code }) => code) }).toEqual({ name, found: expected });
	}
});
