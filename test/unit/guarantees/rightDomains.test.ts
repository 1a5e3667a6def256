import type { DnsRecordType } from '../../../lib/dns/resolver/packet';
import { createZoneResolver, type Zones } from '../lib/dns/support/zoneResolver';
import { check } from '../lib/dns/audit/support/check';
import { RIGHT_DOMAINS, type RightDomain } from '../lib/dns/audit/support/rightDomains';

test.each(RIGHT_DOMAINS)('a domain set up for $provider has no findings', async (right) => {
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

/** The zones without one record. */
function without({ right, name, type, index }: Place): Zones {
	const kept = recordsAt(right.zones, name)[type]?.filter((_, at) => at !== index);
	return { ...right.zones, [name]: { ...right.zones[name], [type]: kept } };
}

test('each missing record has a finding', async () => {
	for (const place of MEANT) {
		const { right, name, type } = place;
		const { problems } = await check(createZoneResolver(without(place)), right.identity);

		const where = { provider: right.provider, name, type };
		expect({ ...where, found: problems.length > 0 }).toEqual({ ...where, found: true });
	}
});

test('a name without an answer has no finding but dnsUnknown', async () => {
	for (const { right, name } of PLACES) {
		const resolver = createZoneResolver({ ...right.zones, [name]: { failed: 'SERVFAIL' } });
		const { status, problems } = await check(resolver, right.identity);

		const isAsked = resolver.asked.some((question) => question.startsWith(`${name} `));
		const isFollowed = !isAsked && status !== 'checked';
		const expected = isAsked || isFollowed ? ['dnsUnknown'] : [];
		expect({ name, found: problems.map(({ code }) => code) }).toEqual({ name, found: expected });
	}
});
