import type { Answer, StringAnswer } from 'dns-packet';
import { toRecordName } from './names';
import type { DnsRecordType } from './resolver';

/** How many names may stand for each other in a row, in one answer and over several. */
export const MOST_ALIASES = 8;

/**
 * Follows the aliases (CNAME) of a name within an answer, to the name that has the records.
 *
 * @returns that name, with the aliases on the way; undefined where they go in a circle, or too far
 */
export function followAliases(
	answers: readonly Answer[],
	name: string,
	type: DnsRecordType,
): { target: string; aliases: StringAnswer[] } | undefined {
	// Who asks for the alias wants to see it, not where it leads.
	if (type === 'CNAME') return { target: name, aliases: [] };
	const byName = new Map(
		answers.filter(isAlias).map((record) => [toRecordName(record.name), record]),
	);
	const aliases: StringAnswer[] = [];
	let target = name;
	for (let alias = byName.get(target); alias !== undefined; alias = byName.get(target)) {
		if (aliases.length === MOST_ALIASES) return undefined;
		aliases.push(alias);
		target = toRecordName(alias.data);
	}
	return { target, aliases };
}

function isAlias(record: Answer): record is StringAnswer {
	return record.type === 'CNAME';
}
