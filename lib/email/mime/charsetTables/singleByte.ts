import { restoreWindows1252 } from '../../../basics';
import { fromUnits, REPLACEMENT, type CharsetDecoder } from './charsetDecoder';

const FIRST = 128;

/** The characters of the bytes from 128 on, for charsets that Node.js, or Node 20, does not know (Unicode's mapping tables). */
const TABLES: Readonly<Record<string, string>> = {
	'437':
		'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ' +
		'áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
		'└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
		'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
	'850':
		'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ' +
		'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
		'└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
		'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
	'852':
		'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č' +
		'áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
		'└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀' +
		'ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
	'iso-8859-16':
		'\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f' +
		'\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f' +
		'\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸż' +
		'ÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚß' +
		'àáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ',
	// For private use.
	'x-user-defined': String.fromCharCode(
		...Array.from({ length: FIRST }, (_, index) => 0xf780 + index),
	),
};

const CODE_PAGE = /^(?:cp|ibm|ibm-|cspc)?(437|850|852)(?:multilingual)?$/;

/** Letters that Node 20 reads otherwise than the Encoding Standard. */
const CORRECTIONS: Readonly<Record<string, ReadonlyArray<[byte: number, letter: string]>>> = {
	'koi8-u': [
		[0xae, 'ў'],
		[0xbe, 'Ў'],
	],
	'windows-874': [0xdb, 0xdc, 0xdd, 0xde, 0xfc, 0xfd, 0xfe, 0xff].map((byte) => [
		byte,
		REPLACEMENT,
	]),
	'windows-1253': [[0xaa, REPLACEMENT]],
	'windows-1255': [[0xca, '\u05ba']],
};

const ALL = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** @param label in lower case, which Node.js does not know @returns undefined for another charset */
export function tableDecoderFor(label: string): CharsetDecoder | undefined {
	const [, codePage = label] = CODE_PAGE.exec(label) ?? [];
	const table = Object.hasOwn(TABLES, codePage) ? TABLES[codePage] : undefined;
	return table === undefined ? undefined : new SingleByteDecoder(label, table);
}

/** Reads each byte as the Encoding Standard says, with what Node.js knows and the corrections of it. */
export function correctedDecoder(known: CharsetDecoder): CharsetDecoder {
	const { encoding } = known;
	const letters = [...known.decode(ALL.subarray(FIRST))];
	for (const [byte, letter] of CORRECTIONS[encoding] ?? []) letters[byte - FIRST] = letter;
	const table = letters.join('');
	return new SingleByteDecoder(
		encoding,
		encoding === 'windows-1252' ? restoreWindows1252(table) : table,
	);
}

class SingleByteDecoder implements CharsetDecoder {
	private readonly units = Uint16Array.from(ALL);

	/** @param table the characters from 128 on */
	constructor(
		readonly encoding: string,
		table: string,
	) {
		for (let byte = FIRST; byte < this.units.length; byte++) {
			this.units[byte] = table.charCodeAt(byte - FIRST);
		}
	}

	decode(bytes: Uint8Array): string {
		const units = new Uint16Array(bytes.length);
		for (let index = 0; index < bytes.length; index++) {
			units[index] = this.units[bytes[index] as number] as number;
		}
		return fromUnits(units);
	}
}
