import type { Reading } from '../limits';
import { decodeLongText, type DecodedText } from '../mime/charsets';
import { plainText } from '../mime/longText';
import type { LeafPart } from '../mime/parts';
import type { TextPart } from '../mime/textParts';
import { decompressRtf } from './compressedRtf';
import { readRichText } from './richText';
import type { TnefContent, TnefText } from './tnef';

/** The texts of an email that stand in a winmail.dat. */
export interface TnefTexts {
	/** Versions of the same text, as if they were parts of the email. */
	texts: TextPart[];
	/** The text as it was written, if it is RTF, which is not read with all that it shows. */
	rtf?: Buffer;
	/** False if the text is damaged or too long. */
	isWhole: boolean;
}

/** @param container the winmail.dat */
export async function readTnefTexts(
	{ text, html, compressedRtf }: TnefContent,
	container: LeafPart,
	reading: Reading,
): Promise<TnefTexts> {
	const { pace } = reading;
	let shown = await decodeTnefText(html, true, reading);
	let plain = await decodeTnefText(text, false, reading);
	const read: TnefTexts = { texts: [], isWhole: true };
	if (shown.text === '' && compressedRtf !== undefined) {
		const rtf = await decompressRtf(compressedRtf, pace);
		const richText = rtf === undefined ? undefined : await readRichText(rtf, pace);
		read.isWhole = richText?.isWhole === true;
		if (richText?.kind === 'html') {
			shown = richText;
		} else if (richText !== undefined && plain.text === '') {
			plain = richText;
			const isSeen = plain.text.trim() !== '' || rtf?.includes('\\pict');
			if (richText.kind === 'other' && isSeen) read.rtf = rtf;
		}
	}
	const { header } = container;
	const versions = { ...container, header: { ...header, type: 'multipart/alternative' } };
	for (const [type, { text: written, charset, isGuessed }] of [
		['text/plain', plain],
		['text/html', shown],
	] as const) {
		if (written.trim() === '') continue;
		const part: LeafPart = { ...container, parent: versions, header: { ...header, type } };
		read.texts.push({ part, text: await plainText(written, pace), charset, isGuessed });
	}
	return read;
}

/** The text up to the first NUL. */
async function decodeTnefText(
	written: TnefText | undefined,
	isHtml: boolean,
	{ pace }: Reading,
): Promise<DecodedText> {
	if (written === undefined) return { text: '', charset: undefined };
	const decoded = await decodeLongText(written.bytes, written.charset, isHtml, pace);
	const [text = ''] = decoded.text.split('\0', 1);
	return { ...decoded, text };
}
