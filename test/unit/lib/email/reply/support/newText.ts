import type { Reading } from '../../../../../../lib/email/limits';
import { removeQuotedText } from '../../../../../../lib/email/reply/removeQuotedText';
import { writePlain } from '../../../../../../lib/email/text/blocks/plainText';
import { textBlocks } from '../../../../../../lib/email/text/blocks/textBlocks';
import { newReading } from '../../../../../support/reading';
import { REPLY } from './cases';

/** What is left of a plain text. */
export async function newTextOf(
	text: string,
	reply: Parameters<typeof removeQuotedText>[1] = REPLY,
	reading: Reading = newReading(),
): Promise<string> {
	const blocks = await textBlocks(text, reading.limits.replyLines, reading.pace);
	if (blocks === undefined) return text;
	const { kept } = await removeQuotedText(blocks, reply, reading);
	return kept === blocks ? text : writePlain(kept).trimEnd();
}
