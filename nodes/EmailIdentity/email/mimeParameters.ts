import { decodeCharset } from './charsets';
import { decodeBody } from './transferEncoding';

/** A value with parameters, such as `text/plain; charset=utf-8`. */
export interface Structured {
	/** Lower case. */
	value: string;
	/** By their names in lower case. */
	parameters: Map<string, string>;
}

// More than any honest part has, also where its file's name is cut to pieces.
const MOST_PARAMETERS = 1000;

/** A part of a parameter's value: its name, its number, and whether it is percent-encoded (RFC 2231, 3 and 4). */
const SECTION = /^([^*]*)\*(?:(\d{1,9})(\*)?)?$/;

/**
 * Reads a value with parameters (RFC 2045, 5.1), one character after the other, so that nothing within quotes is taken
 * for a parameter. The first of several parameters with the same name counts.
 */
export function readStructured(header: string): Structured {
	const parameters = new Map<string, string>();
	let value: string | undefined;
	let name: string | undefined;
	let text = '';
	let blanks = '';
	let quote: 'none' | 'open' | 'closed' = 'none';
	const add = (character: string) => {
		text += text === '' ? character : `${blanks}${character}`;
		blanks = '';
	};
	const end = () => {
		const key = (name ?? text).trim().toLowerCase();
		if (value === undefined) value = text.toLowerCase();
		else if (key !== '' && !parameters.has(key) && parameters.size < MOST_PARAMETERS)
			parameters.set(key, name === undefined ? '' : text);
		name = undefined;
		text = '';
		blanks = '';
		quote = 'none';
	};
	const source = withoutComments(header);
	for (let index = 0; index < source.length; index++) {
		const character = source[index] as string;
		if (quote === 'open') {
			if (character === '"') quote = 'closed';
			else add(character === '\\' ? (source[++index] ?? '') : character);
		} else if (character === ';') {
			end();
		} else if (character === '=' && name === undefined && value !== undefined) {
			name = text;
			text = '';
			blanks = '';
		} else if (character === '"') {
			quote = 'open';
		} else if (character === ' ' || character === '\t') {
			blanks += character;
		} else if (quote === 'none') {
			add(character);
		}
	}
	end();
	return { value: value ?? '', parameters: joinSections(parameters) };
}

/**
 * Takes out what is within round brackets (RFC 5322, 3.2.2). Brackets within a parameter's value, such as
 * `filename=Invoice(1).pdf`, and those that are never closed though a parameter follows are no comments.
 */
export function withoutComments(text: string): string {
	if (!text.includes('(')) return text;
	let result = '';
	let depth = 0;
	let start = 0;
	let isQuoted = false;
	let isParameter = false;
	let isWithinValue = false;
	for (let index = 0; index < text.length; index++) {
		const character = text[index] as string;
		const canOpen = !isQuoted && !isWithinValue;
		if (character === '\\') {
			if (depth === 0) result += text.slice(index, index + 2);
			index++;
		} else if (character === '"' && depth === 0) {
			isQuoted = !isQuoted;
			result += character;
		} else if (character === '(' && canOpen) {
			if (depth === 0) start = index;
			depth++;
		} else if (character === ')' && depth > 0) {
			depth--;
		} else if (depth === 0) {
			result += character;
			if (isQuoted) continue;
			if (character === '=') isParameter = true;
			if (character === ';') isParameter = false;
			isWithinValue = isParameter && character !== ' ' && character !== '\t';
		}
	}
	return depth === 0 || !text.includes(';', start) ? result : text;
}

/** Puts together what RFC 2231 cuts to pieces: `filename*0*=utf-8''a%20; filename*1=b`. */
function joinSections(parameters: Map<string, string>): Map<string, string> {
	const whole = new Map<string, string>();
	const cut = new Map<string, Array<{ number: number; value: string; isEncoded: boolean }>>();
	for (const [key, value] of parameters) {
		const [, name, number, star] = SECTION.exec(key) ?? [];
		if (name === undefined) {
			whole.set(key, value);
		} else {
			const isEncoded = number === undefined || star !== undefined;
			const section = { number: Number(number ?? 0), value, isEncoded };
			const known = cut.get(name);
			if (known) known.push(section);
			else cut.set(name, [section]);
		}
	}
	for (const [name, sections] of cut) {
		sections.sort((one, other) => one.number - other.number);
		whole.set(name, decodeSections(sections));
	}
	return whole;
}

/** Encoded sections that follow each other are decoded together: a character may be cut, too. */
function decodeSections(sections: Array<{ value: string; isEncoded: boolean }>): string {
	const [, charset, rest] =
		(sections[0]?.isEncoded && /^([^']*)'[^']*'([^]*)$/.exec(sections[0].value)) || [];
	let result = '';
	let encoded = '';
	const endEncoded = () => {
		if (encoded !== '') result += decodeCharset(percentDecoded(encoded), charset);
		encoded = '';
	};
	for (const [index, { value, isEncoded }] of sections.entries()) {
		if (isEncoded) {
			encoded += index === 0 ? (rest ?? value) : value;
		} else {
			endEncoded();
			result += value;
		}
	}
	endEncoded();
	return result;
}

function percentDecoded(text: string): Buffer {
	const escaped = text.replace(/=/g, '=3D').replace(/%(?=[0-9a-f]{2})/gi, '=');
	return decodeBody(escaped, 'quoted-printable');
}
