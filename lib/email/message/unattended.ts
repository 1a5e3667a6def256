import { plainLetters, splitAddress } from '../../basics';
import { phrasesFor } from '../words/phrases';

/** Without blanks: `donotreply`. */
const PHRASES: ReadonlySet<string> = new Set(
	phrasesFor('noReply').map((phrase) => wordsOf(phrase).join('')),
);

const MAX_WORDS = Math.max(...phrasesFor('noReply').map((phrase) => wordsOf(phrase).length));

/** The sender of Exchange's own messages, such as `MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e`. */
const EXCHANGE = /^microsoftexchange[\da-f]+$/;

/**
 * Whether an address says that nobody reads it: `noreply`, `do-not-reply` and the like in its local part, also as a tag, or
 * with other words before or behind.
 */
export function isUnattended(address: string): boolean {
	const { mailbox } = splitAddress(address);
	if (EXCHANGE.test(mailbox.toLowerCase())) return true;
	const words = wordsOf(mailbox);
	return words.some((_word, start) =>
		words
			.slice(start, start + MAX_WORDS)
			.some((_last, index) => PHRASES.has(words.slice(start, start + index + 1).join(''))),
	);
}

/** Words are separated by anything but letters: `do-not-reply+42` has three. */
function wordsOf(text: string): string[] {
	return plainLetters(text).match(/\p{L}+/gu) ?? [];
}
