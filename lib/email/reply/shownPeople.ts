import { trimEndOf } from '../../basics';
import { parseAddresses } from '../message/addresses';
import type { EmailAddress } from '../message/headerTypes';
import { phrasesFor } from '../words/phrases';
import { isCapitalized } from './lines';

/** A person in the header of a forwarded email, where mail programs often write the name alone. */
export interface ShownPerson {
	/** `''` if unknown. */
	name: string;
	/** Null if unknown. */
	address: string | null;
}

/** `Ada<mailto:ada@example.com> <ada@example.com>`: the address of a link around a name. */
const LINKED_NAME = /<mailto:[^<>]*> ?(?=<)/gi;

/** `<ada@example.com<mailto:ada@example.com>>`, `<ada@example.com [ada@example.com]>`: the same around an address. */
const LINKED_ADDRESS = /<[^<>[\]]*(?:<mailto:|\[)([^<>[\]]*)[>\]]>/gi;

/** `Ada [mailto:ada@example.com]`, `Ada (ada@example.com)`, `Ada [ada@example.com]`, `<mailto:ada@example.com>`. */
const OTHER_BRACKETS = /[<([] ?(?:mailto:)?([^\s<>()[\]:,;@"]+@[^\s<>()[\]:,;@"]+) ?[>)\]]/gi;

/** The address behind which is no at sign: in front of it, the name may contain others, which mean nothing. */
const SENDER = /^(?:(.*)<)?([^\s<>@]+@[^\s<>@]+)(?:[\s<>][^@]*)?$/;

/** In single quotation marks, an apostrophe between letters is one of the name. */
const QUOTED_AT_END =
	/(?:["„“«]([^"„“”«»]{1,100})["“”»]|(?<!\p{L})['‘]((?:[^'‘’]|(?<=\p{L})['’](?=\p{L})){1,100})['’]) ?\(?$/u;

/** Characters above an address in which the name is looked for. */
const MAX_NAME = 120;

/** Words in lower case in names, such as "van". */
const PARTICLES: ReadonlySet<string> = new Set(phrasesFor('nameParticles'));

const HAS_ADDRESS = /(?:^|[\s<,"'])[^\s@<>()[\],;:"'/]+@/;

/** Not an address within a Notes or Exchange server: `Ada Lovelace/Sales/Example@Example`, `/o=Example/cn=ada`. */
const ADDRESS = /^[^\s@<>()[\],;:"/]+@[^\s@<>()[\],;:"/]+$/;

/** Reads the people that a mail program shows in a header. Between names alone, it writes semicolons. */
export function readShownPeople(value: string): ShownPerson[] {
	const lists = plainBrackets(value).split(/[;；]/);
	return lists.flatMap(readList).filter(({ name, address }) => name !== '' || address !== null);
}

/** The sender. What a stranger chose as their name may look like another address, also without quotation marks. */
export function readShownSender(value: string): ShownPerson | null {
	const written = plainBrackets(value).trim();
	const [, name = '', address = written] = SENDER.exec(written) ?? [];
	return written === '' ? null : toShownPerson({ name, address });
}

function plainBrackets(value: string): string {
	const withoutLinks = value.replace(LINKED_NAME, ' ').replace(LINKED_ADDRESS, '<$1>');
	return withoutLinks.replace(OTHER_BRACKETS, '<$1>');
}

function readList(list: string): ShownPerson[] {
	if (HAS_ADDRESS.test(list)) return parseAddresses(list).map(toShownPerson);
	// Names that are not addresses contain commas, but not those within a Notes server.
	const names = list.includes('@') ? list.split(',') : [list];
	// The members of a group such as `undisclosed-recipients:` are not shown.
	const shown = names.filter((name) => !name.trim().endsWith(':'));
	return shown.map((name) => ({ name: unquotedName(name), address: null }));
}

export function toShownPerson({ name, address }: EmailAddress): ShownPerson {
	const shown = unquotedName(name);
	if (!ADDRESS.test(address)) return { name: shown || unquotedName(address), address: null };
	// Outlook writes an address without a name twice.
	return { name: shown.toLowerCase() === address.toLowerCase() ? '' : shown, address };
}

/** Without the quotation marks that mail programs leave around names. */
function unquotedName(written: string): string {
	const name = written.replace(/<[^<>]*> ?$/, '').trim();
	const [, quoted] = /^['"‘“„«](.*)['"’”“»]$/.exec(name) ?? [];
	return (quoted ?? name).trim();
}

/** The sender in an attribution such as `On 21/11/2026 10:02, "Ada Lovelace" <ada@example.com> wrote:`. */
export function senderOfAttribution(attribution: string): ShownPerson | null {
	const [, whole, address] = SENDER.exec(plainBrackets(attribution)) ?? [];
	// In Yahoo's app, the text of the email follows a colon, with any address.
	if (whole === undefined || address === undefined || /[:：] /.test(attribution)) return null;
	const above = whole.slice(-MAX_NAME);
	const before = trimEndOf(above, (character) => ' ('.includes(character));
	const [, inDoubleMarks, inSingleMarks] = QUOTED_AT_END.exec(before) ?? [];
	const quoted = inDoubleMarks ?? inSingleMarks;
	return { name: quoted?.trim() ?? nameAtEnd(before), address };
}

/** The words at the end of a text that may be a name: with capitals, without the date and the time above. */
function nameAtEnd(text: string): string {
	const name: string[] = [];
	let before = '';
	for (const word of text.split(' ').reverse()) {
		before = word;
		const isName = isCapitalized(word) || PARTICLES.has(word);
		if (!isName || /[\p{Nd},:]/u.test(word)) break;
		name.unshift(word);
	}
	while (name.length > 1 && !isNameBeginning(name[0] ?? '', before)) name.shift();
	return name.join(' ');
}

/** Whether a name may begin with a word: not "AM" or "CET" behind a time. */
function isNameBeginning(word: string, before: string): boolean {
	const isOfTime = /\p{Nd}/u.test(before) && /^\p{Lu}{2,5}$/u.test(word);
	return isCapitalized(word) && !isOfTime;
}
