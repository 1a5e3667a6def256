import { restoreWindows1252, SPACE } from '../../../basics';
import { fromUnits, REPLACEMENT, type CharsetDecoder } from './charsetDecoder';

const FIRST = 128;

/**
 * The characters of the last bytes, for charsets that Node.js, or Node 20, does not know (Unicode's mapping tables). A blank stands
 * for the one of Latin-1.
 */
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
		' ĄąŁ€„Š š Ș Ź źŻ  ČłŽ”  žčș ŒœŸż' +
		'   Ă Ć          ĐŃ   Ő ŚŰ    ĘȚ ' +
		'   ă ć          đń   ő śű    ęț ',
	// For private use.
	'x-user-defined': String.fromCharCode(
		...Array.from({ length: FIRST }, (_, index) => 0xf780 + index),
	),
};

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

/** @returns undefined for another charset */
export function tableDecoderFor(encoding: string): CharsetDecoder | undefined {
	const table = TABLES[encoding];
	return table === undefined ? undefined : new SingleByteDecoder(encoding, table);
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

	/** @param table the last characters, as in `TABLES`; those before are the ones of Latin-1 */
	constructor(
		readonly encoding: string,
		table: string,
	) {
		const first = this.units.length - table.length;
		for (let index = 0; index < table.length; index++) {
			const code = table.charCodeAt(index);
			if (code !== SPACE) this.units[first + index] = code;
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
