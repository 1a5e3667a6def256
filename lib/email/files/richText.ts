import type { Pace } from '../../basics';
import { decodeCharset, decodeLongText } from '../mime/charsets';

export interface RichText {
	/** HTML and plain text can be packed into RTF (MS-OXRTFEX). `other` was written as RTF. */
	kind: 'html' | 'text' | 'other';
	/** What people see of it: for HTML, its source. */
	text: string;
}

/** A control word with its number, a byte, another control symbol, a brace, or text. Line breaks have no meaning. */
const TOKEN = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([\da-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)/g;

/** Groups of these are no text. Others that are none begin with `\*`. */
const NO_TEXT: ReadonlySet<string> = new Set(['colortbl', 'fonttbl', 'info', 'pict', 'stylesheet']);

const CHARACTERS: ReadonlyMap<string, string> = new Map([
	['par', '\n'],
	['line', '\n'],
	['row', '\n'],
	['\n', '\n'],
	['\r', '\n'],
	['tab', '\t'],
	['cell', '\t'],
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

/** Code pages by the charset of a font (`\fcharset`). Others have that of the whole text. */
const CODE_PAGES: ReadonlyMap<number, number> = new Map([
	[128, 932],
	[129, 949],
	[134, 936],
	[136, 950],
	[161, 1253],
	[162, 1254],
	[163, 1258],
	[177, 1255],
	[178, 1256],
	[186, 1257],
	[204, 1251],
	[222, 874],
	[238, 1250],
]);

const ASCII = /^[\0-\x7f]*$/;

/** Groups within each other; programs write a dozen. Compressed, a brace takes an eighth of a byte, and each group takes memory. */
const MAX_GROUPS = 1000;

// Reading so many takes a few milliseconds.
const TOKENS_BETWEEN_PAUSES = 20_000;
const SLOW_CHARACTERS = 10_000;

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
	const text = rtf.toString('latin1');
	return text.startsWith('{\\rtf') ? await new RichTextReader(pace).read(text) : undefined;
}

class RichTextReader {
	private kind: RichText['kind'] = 'other';

	private text = '';

	/** Bytes at the end of the text that are not decoded yet. */
	private bytes = '';

	private charsetOfBytes = '';

	private charset = 'cp1252';

	private readonly charsetOfFont = new Map<number, string>();

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

	/** Characters that are left to skip. */
	private skipped = 0;

	constructor(private readonly pace: Pace) {}

	/** Up to the end of the first group, or to where there are too many within each other. */
	async read(rtf: string): Promise<RichText> {
		let binaryEnd = 0;
		for (const token of rtf.matchAll(TOKEN)) {
			if (this.pace.spend(1 / TOKENS_BETWEEN_PAUSES)) await this.pace.pause();
			if (token.index < binaryEnd) continue;
			const [written, word, number, hex, symbol, brace, text] = token;
			if (brace !== undefined) {
				this.changeGroup(brace);
				if (this.groups.length === 0 || this.groups.length > MAX_GROUPS) break;
			} else if (word === 'bin') {
				binaryEnd = token.index + written.length + Number(number ?? 0);
			} else if (word !== undefined) {
				const character = this.readWord(word, number === undefined ? undefined : Number(number));
				if (character !== undefined) await this.addText(character);
				if (word === 'u') this.skipped = this.style.replacements;
			} else if (symbol !== undefined) {
				await this.readSymbol(symbol);
			} else {
				const bytes = text ?? String.fromCharCode(parseInt(hex ?? '', 16));
				await this.addBytes(bytes);
			}
		}
		await this.decode();
		return { kind: this.kind, text: this.text.toWellFormed() };
	}

	private changeGroup(brace: string): void {
		this.skipped = 0;
		this.isOptional = false;
		if (brace === '{') this.groups.push(this.style);
		else this.style = this.groups.pop() ?? this.style;
	}

	/** @returns the character that it stands for; undefined for other words */
	private readWord(word: string, number: number | undefined): string | undefined {
		const { isOptional } = this;
		this.isOptional = false;
		const isTag = word === 'htmltag' && this.kind === 'html';
		if (isOptional || NO_TEXT.has(word)) {
			this.change(isTag ? { isTag } : { isIgnored: true });
			return undefined;
		}
		switch (word) {
			case 'ansicpg':
				this.charset = `cp${number}`;
				break;
			case 'fromhtml':
				this.kind = 'html';
				break;
			case 'fromtext':
				this.kind = 'text';
				break;
			case 'deff':
				this.defaultFont = number ?? 0;
				this.change({ font: this.defaultFont });
				break;
			case 'f':
				this.change({ font: number ?? 0 });
				break;
			case 'fcharset':
				this.setCharsetOfFont(number ?? 0);
				break;
			case 'htmlrtf':
				this.change({ isInsteadOfTag: number !== 0 });
				break;
			case 'v':
				this.change({ isHidden: number !== 0 });
				break;
			case 'plain':
				this.change({ isHidden: false, font: this.defaultFont });
				break;
			case 'uc':
				this.change({ replacements: number ?? 1 });
				break;
			case 'u':
				return String.fromCharCode(number ?? 0);
		}
		return CHARACTERS.get(word);
	}

	private async readSymbol(symbol: string): Promise<void> {
		if (symbol === '*') this.isOptional = true;
		else if (this.skipped > 0) this.skipped--;
		else await this.addText(CHARACTERS.get(symbol) ?? '');
	}

	private change(style: Partial<Style>): void {
		this.style = { ...this.style, ...style };
	}

	private setCharsetOfFont(fontCharset: number): void {
		const codePage = CODE_PAGES.get(fontCharset);
		if (codePage !== undefined) this.charsetOfFont.set(this.style.font, `cp${codePage}`);
	}

	private isShown(): boolean {
		const { isIgnored, isHidden, isTag, isInsteadOfTag } = this.style;
		return !isIgnored && !isHidden && (isTag || !isInsteadOfTag);
	}

	private async addText(text: string): Promise<void> {
		if (text === '' || !this.isShown()) return;
		await this.decode();
		this.text += text;
	}

	private async addBytes(written: string): Promise<void> {
		const bytes = written.slice(this.skipped);
		this.skipped -= written.length - bytes.length;
		if (!this.isShown()) return;
		const { isTag, font } = this.style;
		const charset = (isTag ? undefined : this.charsetOfFont.get(font)) ?? this.charset;
		if (charset !== this.charsetOfBytes) await this.decode();
		this.charsetOfBytes = charset;
		this.bytes += bytes;
	}

	private async decode(): Promise<void> {
		const { bytes, charsetOfBytes, pace } = this;
		this.bytes = '';
		if (ASCII.test(bytes)) {
			this.text += bytes;
			return;
		}
		const encoded = Buffer.from(bytes, 'latin1');
		if (bytes.length < SLOW_CHARACTERS) this.text += decodeCharset(encoded, charsetOfBytes);
		else this.text += (await decodeLongText(encoded, charsetOfBytes, false, pace)).text;
	}
}
