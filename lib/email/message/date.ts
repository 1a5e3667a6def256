import { withoutComments } from '../mime/comments';

/**
 * Names of time zones and the numbers that they mean: those of RFC 5322, 4.3, and those of the time zone database that mean
 * one zone. A name of several zones, such as IST (India, Ireland, Israel), is missing.
 */
const ZONES: ReadonlyMap<string, string> = new Map(
	Object.entries({
		UT: '+0000',
		UTC: '+0000',
		GMT: '+0000',
		EST: '-0500',
		EDT: '-0400',
		CST: '-0600',
		CDT: '-0500',
		MST: '-0700',
		MDT: '-0600',
		PST: '-0800',
		PDT: '-0700',
		AKST: '-0900',
		AKDT: '-0800',
		AST: '-0400',
		ADT: '-0300',
		HST: '-1000',
		NST: '-0330',
		NDT: '-0230',
		WET: '+0000',
		WEST: '+0100',
		BST: '+0100',
		CET: '+0100',
		CEST: '+0200',
		MET: '+0100',
		MEST: '+0200',
		MEZ: '+0100',
		MESZ: '+0200',
		EET: '+0200',
		EEST: '+0300',
		MSK: '+0300',
		SAST: '+0200',
		PKT: '+0500',
		WIB: '+0700',
		HKT: '+0800',
		SGT: '+0800',
		AWST: '+0800',
		JST: '+0900',
		KST: '+0900',
		ACST: '+0930',
		ACDT: '+1030',
		AEST: '+1000',
		AEDT: '+1100',
		NZST: '+1200',
		NZDT: '+1300',
	}),
);

const UTC = '+0000';

const MAX_DATE = 200;

const WORD = /\p{L}[\p{L}\p{M}\p{N}]*/gu;

const MONTH_OR_HALF_DAY = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|[ap]m$)/i;

/** A number after a blank or the time. After another number or a month, as in `01-04-2019`, it belongs to the day. */
const NUMBER = /(?<=\s|:\d\d(?:\.\d{1,9})?)[+-]\d+(?::\d+)?/;

/**
 * Reads a Date field (RFC 5322, 3.3 and 4.3), and what `Date` reads beyond it: other orders, years of two digits. A date
 * without a zone is in UTC, not in the zone of the computer.
 *
 * @returns ISO 8601 in UTC; null if it is no date, or if the name of its zone is unknown, because any hour could be wrong
 */
export function readDate(written: string): string | null {
	const text = withoutComments(written.slice(0, MAX_DATE), ' ')
		.replace(/(?<=\d)T(?=\d)/i, ' ')
		.replace(/\s+/g, ' ')
		.replace(/ ?: ?/g, ':');
	const firstDigit = text.search(/\d/);
	if (firstDigit < 0) return null;
	const start = Math.max(text.indexOf(':'), firstDigit);
	const day = text.slice(0, start);
	const { clock, zone } = readClock(text.slice(start));
	if (zone === undefined) return null;
	const date = new Date(`${day}${clock} UTC${zone}`);
	const year = date.getUTCFullYear();
	return year >= 0 && year <= 9999 ? date.toISOString() : null;
}

interface Clock {
	/** The time, and what is after it, such as the year. */
	clock: string;
	/** Such as `+0200`; undefined if it has only a name that is not known. */
	zone: string | undefined;
}

/** Splits the zone from `07:55:00 CEST 2019`. A number counts more than the names beside it. */
function readClock(text: string): Clock {
	const names: string[] = [];
	const withoutNames = text.replace(WORD, (word) => {
		if (MONTH_OR_HALF_DAY.test(word)) return word;
		names.push(word.toUpperCase());
		return ' ';
	});
	const number = NUMBER.exec(withoutNames)?.[0];
	if (number === undefined) return { clock: withoutNames, zone: zoneCalled(names) };
	return { clock: withoutNames.replace(NUMBER, ' '), zone: number };
}

function zoneCalled([name, ...others]: string[]): string | undefined {
	if (name === undefined) return UTC;
	if (others.length > 0) return undefined;
	// Nobody can tell which sign the sender gave to a military letter (RFC 5322, 4.3).
	const isMilitary = name.length === 1;
	return isMilitary ? UTC : ZONES.get(name);
}
