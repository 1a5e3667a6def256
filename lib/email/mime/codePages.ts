/** Decodes bytes of a charset that Node.js does not know. */
export interface TableDecoder {
	encoding: string;
	decode(bytes: Uint8Array): string;
}

/** The characters of the bytes from 128 on (Unicode's mapping tables CP437, CP850 and CP852). */
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
};

const NAME = /^(?:cp|ibm|ibm-|cspc)?(437|850|852)(?:multilingual)?$/;

const FIRST = 128;

/** @param label in lower case @returns undefined for another charset */
export function tableDecoderFor(label: string): TableDecoder | undefined {
	const [, codePage = ''] = NAME.exec(label) ?? [];
	const table = TABLES[codePage];
	if (table === undefined) return undefined;
	return {
		encoding: label,
		decode: (bytes) =>
			Buffer.from(bytes)
				.toString('latin1')
				.replace(/[\x80-\xff]/g, (byte) => table.charAt(byte.charCodeAt(0) - FIRST)),
	};
}
