import { literalPattern } from '../../basics';
import allMailFolders from './allMailFolders.json';
import answersBelow from './answersBelow.json';
import appLines from './appLines.json';
import attributionBeginnings from './attributionBeginnings.json';
import automaticReplies from './automaticReplies.json';
import bounces from './bounces.json';
import ccLabels from './ccLabels.json';
import dateLabels from './dateLabels.json';
import devices from './devices.json';
import draftsFolders from './draftsFolders.json';
import excuses from './excuses.json';
import forwardedMessages from './forwardedMessages.json';
import forwardPrefixes from './forwardPrefixes.json';
import fromLabels from './fromLabels.json';
import my from './my.json';
import nameParticles from './nameParticles.json';
import noReply from './noReply.json';
import originalMessages from './originalMessages.json';
import quoting from './quoting.json';
import replyPrefixes from './replyPrefixes.json';
import sentenceBeginnings from './sentenceBeginnings.json';
import sentFolders from './sentFolders.json';
import spamFolders from './spamFolders.json';
import subjectLabels from './subjectLabels.json';
import toLabels from './toLabels.json';
import trashFolders from './trashFolders.json';
import wrote from './wrote.json';

/** Phrases for one purpose, by the code of their language (ISO 639). */
type PhrasesByLanguage = Readonly<Partial<Record<string, readonly string[]>>>;

export type Purpose =
	/** The folder with every email of a mailbox. */
	| 'allMailFolders'
	/** Words that say that the answers stand within the earlier email, by place or by colour. */
	| 'answersBelow'
	/** Lines that mail apps add; `…` stands for the name of the app or device. */
	| 'appLines'
	/** The first word of "On …, Ada wrote:". */
	| 'attributionBeginnings'
	/** Beginnings of the subjects of automatic replies. Ordinary words have a colon. */
	| 'automaticReplies'
	/** Beginnings of the subjects of bounces. Ordinary words have a colon. */
	| 'bounces'
	/** Labels in the header of an earlier email, which mail programs repeat above its text. */
	| 'ccLabels'
	| 'dateLabels'
	| 'fromLabels'
	| 'subjectLabels'
	| 'toLabels'
	/** Words for what sends email, after "sent from my". */
	| 'devices'
	| 'draftsFolders'
	/** Beginnings of a sentence after the line of an app. */
	| 'excuses'
	/** Words above a forwarded email. */
	| 'forwardedMessages'
	/** Before the colon in the subject of a forwarded email. */
	| 'forwardPrefixes'
	/** `…` stands for any ending. */
	| 'my'
	/** Words in lower case in names of people and companies. */
	| 'nameParticles'
	/** In addresses that nobody reads. */
	| 'noReply'
	/** Words above the email that is answered. */
	| 'originalMessages'
	/** Before the name of the sender above a quotation, where Horde has no verb. */
	| 'quoting'
	/** Before the colon in the subject of a reply. */
	| 'replyPrefixes'
	/** Words that begin a sentence of a person rather than "Ada wrote:". */
	| 'sentenceBeginnings'
	| 'sentFolders'
	| 'spamFolders'
	| 'trashFolders'
	/** The verb in "On …, Ada wrote:". */
	| 'wrote';

const PHRASES: Readonly<Record<Purpose, PhrasesByLanguage>> = {
	allMailFolders,
	answersBelow,
	appLines,
	attributionBeginnings,
	automaticReplies,
	bounces,
	ccLabels,
	dateLabels,
	devices,
	draftsFolders,
	excuses,
	forwardedMessages,
	forwardPrefixes,
	fromLabels,
	my,
	nameParticles,
	noReply,
	originalMessages,
	quoting,
	replyPrefixes,
	sentenceBeginnings,
	sentFolders,
	spamFolders,
	subjectLabels,
	toLabels,
	trashFolders,
	wrote,
};

/** Languages that write a word without a blank to the one before it. */
const LANGUAGES_WITHOUT_BLANKS: ReadonlySet<string> = new Set(['ja', 'ko', 'th', 'zh']);

/** The phrases of all languages, as they are written. Some are in several languages, and then several times in the list. */
export function phrasesFor(purpose: Purpose): string[] {
	return Object.values(PHRASES[purpose]).flatMap((phrases) => phrases ?? []);
}

/** The languages that have a phrase for this purpose. */
export function languagesWith(purpose: Purpose, phrase: string): string[] {
	const entries = Object.entries(PHRASES[purpose]);
	return entries.filter(([, phrases]) => phrases?.includes(phrase)).map(([language]) => language);
}

/** The source of a regular expression that finds any of the phrases, where no letter of the same word is before it. */
export function beginningOfPhrase(purpose: Purpose): string {
	const separate: string[] = [];
	const joined: string[] = [];
	for (const [language, phrases = []] of Object.entries(PHRASES[purpose])) {
		const list = LANGUAGES_WITHOUT_BLANKS.has(language) ? joined : separate;
		list.push(...phrases.map(sourceOf));
	}
	const alternatives = [...joined];
	if (separate.length > 0) alternatives.push(`(?<!\\p{L})(?:${separate.join('|')})`);
	return `(?:${alternatives.join('|')})`;
}

/** The source of a regular expression for any of the phrases. */
export function anyOf(purpose: Purpose): string {
	return `(?:${phrasesFor(purpose).map(sourceOf).join('|')})`;
}

/** Phrases are data, not expressions; `…` alone stands for any letters. */
function sourceOf(phrase: string): string {
	return literalPattern(phrase).replace('…', '\\p{L}*');
}
