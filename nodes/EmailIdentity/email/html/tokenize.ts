import { Tokenizer } from 'htmlparser2';
import type { TokenizerCallbacks } from 'htmlparser2';

import type { Pace } from '../../lib/pause';

// Reading this much takes a few milliseconds; others get their turn after it.
const CHARACTERS_BETWEEN_PAUSES = 50_000;

/**
 * Finds the tags and texts of HTML, in time that is linear in its length, whatever it is like. For this it uses the
 * library's tokenizer alone: the library's parser keeps its open elements in an array from which it takes the first, which
 * is quadratic in how deep they are nested. It pauses, so that n8n can answer others meanwhile.
 *
 * @param afterPiece called before each pause and at the end of the last piece; false ends the reading
 */
export async function tokenize(
	html: string,
	reader: TokenizerCallbacks,
	afterPiece: () => boolean,
	pace: Pace,
): Promise<void> {
	const tokenizer = new Tokenizer({}, reader);
	for (let start = 0; start < html.length; start += CHARACTERS_BETWEEN_PAUSES) {
		const piece = html.slice(start, start + CHARACTERS_BETWEEN_PAUSES);
		if (pace.isDue(piece.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
		tokenizer.write(piece);
		if (!afterPiece()) return;
	}
	tokenizer.end();
}
