import type { Pace } from '../../basics';
import { charsetOfFields, decodeLongText, type DecodedText } from '../mime/charsets';

/** What people see of RTF: for HTML, its source. */
export interface RichText extends DecodedText {
	/** HTML and plain text can be packed into RTF (MS-OXRTFEX). `other` was written as RTF. */
	kind: 'html' | 'text' | 'other';
	/** False if the end is missing. */
	isWhole: boolean;
}

/** A control word with its number, a byte, another control symbol, a brace, or text. Line breaks have no meaning. */
const TOKEN = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([\da-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)/g;

/** Groups of these are no text. Others that are none begin with `\*`. */
const NO_TEXT: ReadonlySet<string> = new Set(['colortbl', 'fonttbl', 'info', 'pict', 'stylesheet']);

const CHARACTERS: ReadonlyMap<string, string> = new Map([
	['par', '\n'],
	['line', '\n'],
	['row', '\n'],
	['page', '\n'],
	['sect', '\n'],
	['column', '\n'],
	['\n', '\n'],
	['\r', '\n'],
	['tab', '\t'],
	['cell', '\t'],
	['nestcell', '\t'],
	['{', '{'],
	['}', '}'],
	['\\', '\\'],
	['~', '\u00a0'],
	['_', '\u2011'],
	['endash', '–'],
	['emdash', '—'],
	['bullet', '•'],
	['lquote', '‘'],
	['rquote', '’'],
	['ldblquote', '“'],
	['rdblquote', '”'],
]);

const WESTERN = 'cp1252';

/** By the number of the charset of a font (`\fcharset`). Other fonts have that of the whole text. */
const CHARSETS: ReadonlyMap<number, string> = new Map([
	[0, WESTERN],
	[128, 'cp932'],
	[129, 'cp949'],
	[134, 'cp936'],
	[136, 'cp950'],
	[161, 'cp1253'],
	[162, 'cp1254'],
	[163, 'cp1258'],
	[177, 'cp1255'],
	[178, 'cp1256'],
	[186, 'cp1257'],
	[204, 'cp1251'],
	[222, 'cp874'],
	[238, 'cp1250'],
]);

/** Groups within each other; programs write a dozen. Compressed, a brace takes an eighth of a byte, and each group takes memory. */
const MAX_GROUPS = 1000;

// Reading so many takes a few milliseconds.
const TOKENS_BETWEEN_PAUSES = 20_000;

/** Runs that are decoded and joined at once. Millions of short strings would take many times the memory of the text. */
const MAX_RUNS = 1000;

/** Stands between runs while they are decoded, and is not read as a character. */
const SEPARATOR = '\0';

/** A character, or bytes in the same charset. */
interface RichTextRun {
	/** `''` until it is decoded. */
	text: string;
	/** Undefined for a character. */
	charset?: string;
	/** Where the bytes begin and end. */
	start: number;
	end: number;
}

/** What holds up to the end of a group, unless a control word changes it. */
interface Style {
	isIgnored: boolean;
	/** Whether it is a tag of the HTML. */
	isTag: boolean;
	/** Whether it stands for a tag of the HTML, for programs that read RTF only. */
	isInsteadOfTag: boolean;
	isHidden: boolean;
	font: number;
	/** Characters behind one in Unicode, for programs that cannot read it. */
	replacements: number;
}

/** @returns undefined if it is no RTF */
export async function readRichText(rtf: Buffer, pace: Pace): Promise<RichText | undefined> {
	if (rtf.indexOf('{\\rtf') !== 0) return undefined;
	return await new RichTextReader(Buffer.from(rtf), pace).read();
}

class RichTextReader {
	private kind: RichText['kind'] = 'other';

	/** What was read before the runs. */
	private readonly texts: string[] = [];

	private readonly runs: RichTextRun[] = [];

	/** The first that the text names. */
	private charset: string | undefined;

	/** The last text in an unknown charset. */
	private guessed: DecodedText = { text: '', charset: undefined };

	private readonly charsetOfFont = new Map<number, string | undefined>();

	private defaultFont = 0;

	private style: Style = {
		isIgnored: false,
		isTag: false,
		isInsteadOfTag: false,
		isHidden: false,
		font: 0,
		replacements: 1,
	};

	/** Those around the current one. */
	private readonly groups: Style[] = [];

	/** Whether `\*` stands before the next control word. */
	private isOptional = false;

	/** Characters that are left to skip; a control word or symbol counts as one. */
	private skipped = 0;

	/** Of the bytes of all runs. */
	private size = 0;

	/** @param bytes the RTF, over which the bytes of the runs are written */
	constructor(
		private readonly bytes: Buffer,
		private readonly pace: Pace,
	) {}

	/** Up to the end of the first group, or to where there are too many within each other. */
	async read(): Promise<RichText> {
		const { bytes, pace } = this;
		const rtf = bytes.toString('latin1');
		let end = 0;
		for (let token = nextToken(rtf, end); token !== null; token = nextToken(rtf, end)) {
			end = token.index + token[0].length;
			if (pace.spend(1 / TOKENS_BETWEEN_PAUSES)) await pace.pause();
			// Only words that turn something on or off stand without a number.
			const [, word = '', number = '1', hex, symbol, brace, text] = token;
			if (brace !== undefined) {
				this.changeGroup(brace);
				if (this.groups.length === 0 || this.groups.length > MAX_GROUPS) break;
			} else if (word === 'bin') {
				end += Math.max(0, Number(number));
			} else if (text !== undefined) {
				this.addBytes(text);
			} else if (hex !== undefined) {
				this.addBytes(String.fromCharCode(parseInt(hex, 16)));
			} else if (this.skipped > 0) {
				this.skipped--;
			} else if (symbol === '*') {
				this.isOptional = true;
			} else if (symbol !== undefined) {
				this.addText(CHARACTERS.get(symbol));
			} else {
				this.readWord(word, Number(number));
			}
			if (this.runs.length > MAX_RUNS) await this.decode();
		}
		await this.decode();
		const text = this.texts.join('').toWellFormed();
		return { ...this.guessed, kind: this.kind, text, isWhole: this.groups.length === 0 };
	}

	private changeGroup(brace: string): void {
		this.skipped = 0;
		this.isOptional = false;
		if (brace === '{') this.groups.push({ ...this.style });
		else this.style = this.groups.pop() ?? this.style;
	}

	private readWord(word: string, number: number): void {
		const { style, isOptional } = this;
		this.isOptional = false;
		if (isOptional || NO_TEXT.has(word)) {
			if (word === 'htmltag' && this.kind === 'html') style.isTag = true;
			else style.isIgnored = true;
			return;
		}
		switch (word) {
			case 'mac':
				this.charset ??= 'macintosh';
				break;
			case 'pc':
				this.charset ??= 'cp437';
				break;
			case 'ansicpg':
				this.charset ??= charsetOfFields(`cp${number}`);
				break;
			case 'fromhtml':
				this.kind = 'html';
				break;
			case 'fromtext':
				this.kind = 'text';
				break;
			case 'deff':
				this.defaultFont = number;
				style.font = this.defaultFont;
				break;
			case 'f':
				style.font = number;
				break;
			case 'fcharset':
				this.charsetOfFont.set(style.font, CHARSETS.get(number));
				break;
			case 'htmlrtf':
				style.isInsteadOfTag = number !== 0;
				break;
			case 'v':
				style.isHidden = number !== 0;
				break;
			case 'plain':
				style.isHidden = false;
				style.font = this.defaultFont;
				break;
			case 'uc':
				style.replacements = Math.max(0, number);
				break;
			case 'u':
				this.addText(String.fromCharCode(number));
				this.skipped = style.replacements;
				break;
			default:
				this.addText(CHARACTERS.get(word));
		}
	}

	private isShown(): boolean {
		const { isIgnored, isHidden, isTag, isInsteadOfTag } = this.style;
		return !isIgnored && !isHidden && (isTag || !isInsteadOfTag);
	}

	private addText(text: string | undefined): void {
		if (text !== undefined && this.isShown()) this.runs.push({ text, start: 0, end: 0 });
	}

	private addBytes(written: string): void {
		const bytes = written.slice(this.skipped);
		this.skipped -= written.length - bytes.length;
		if (!this.isShown()) return;
		const { isTag, font } = this.style;
		const ofFont = isTag ? undefined : this.charsetOfFont.get(font);
		const charset = ofFont ?? this.charset ?? WESTERN;
		const start = this.size;
		// Most are so short that this is faster than `Buffer.write`.
		for (let index = 0; index < bytes.length; index++) {
			const byte = bytes.charCodeAt(index);
			if (byte !== 0) this.bytes[this.size++] = byte;
		}
		const last = this.runs.at(-1);
		// Two bytes may be one character.
		if (last?.charset === charset) last.end = this.size;
		else this.runs.push({ text: '', charset, start, end: this.size });
	}

	/** All runs of the same charset at once: one by one, they take many times as long. */
	private async decode(): Promise<void> {
		const runs = this.runs.splice(0, MAX_RUNS);
		for (const charset of new Set(runs.map((run) => run.charset))) {
			if (charset === undefined) continue;
			const encoded = runs.filter((run) => run.charset === charset);
			const written = encoded.map(({ start, end }) => this.bytes.toString('latin1', start, end));
			const joined = Buffer.from(written.join(SEPARATOR), 'latin1');
			const decoded = await decodeLongText(joined, charset, false, this.pace);
			if (decoded.isGuessed) this.guessed = decoded;
			const texts = decoded.text.split(SEPARATOR);
			for (const [index, run] of encoded.entries()) run.text = texts[index] ?? '';
		}
		this.texts.push(runs.map(({ text }) => text).join(''));
	}
}

/** Several emails are read at the same time, so the expression keeps no position. */
function nextToken(rtf: string, start: number): RegExpExecArray | null {
	TOKEN.lastIndex = start;
	return TOKEN.exec(rtf);
}
