import type { DnsResolver } from '../../../../../lib/dns/resolver/httpsResolver';
import type { DnsAnswer, DnsRecordType } from '../../../../../lib/dns/resolver/packet';

/** The records of one name by type, or why no resolver has an answer. */
type Name = Partial<Record<DnsRecordType, string[]>> | { failed: string };

/** Names in ASCII, without the last dot, to what is there. A name below which there is another one is there too. */
export type Zones = Record<string, Name>;

export interface ZoneResolver extends DnsResolver {
	/** What was asked, in order: `example.com TXT`. */
	readonly asked: string[];
	/** What is there may change meanwhile. */
	readonly zones: Zones;
}

/** A resolver over what is there, in memory: answers as a real one does, one question after the other. */
export function createZoneResolver(written: Zones): ZoneResolver {
	const asked: string[] = [];
	const zones: Zones = {};
	for (const [name, records] of Object.entries(written)) zones[name.toLowerCase()] = records;
	return {
		asked,
		zones,
		async ask(name: string, type: DnsRecordType): Promise<DnsAnswer> {
			asked.push(`${name.toLowerCase()} ${type}`);
			return await Promise.resolve(answer(zones, name.toLowerCase(), type));
		},
	};
}

function answer(zones: Zones, name: string, type: DnsRecordType): DnsAnswer {
	const there = zones[name];
	if (there === undefined) {
		const isAbove = Object.keys(zones).some((other) => other.endsWith(`.${name}`));
		return { status: isAbove ? 'noData' : 'noSuchName' };
	}
	if ('failed' in there) return { status: 'failed', reason: there.failed };
	const [target] = there.CNAME ?? [];
	if (target !== undefined && type !== 'CNAME') return answer(zones, target.toLowerCase(), type);
	const records = there[type];
	return records === undefined || records.length === 0
		? { status: 'noData' }
		: { status: 'found', records };
}
