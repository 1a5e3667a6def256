/** A regular expression that may take longer than linear time, or of which that is not known. */
export interface Exception {
	source: string;
	file: string;
	/** What bounds its input, or where its time goes. */
	harmless: string;
}

/** Those that the checker does not find linear. */
export const NOT_LINEAR: readonly Exception[] = [
	{
		source: '^[ \\t\\r\\n]+|[ \\t\\r\\n]+$',
		file: 'node_modules/mailauth/lib/dkim/dkim-verifier.js',
		harmless:
			'The tags of a signature: one with a hundred blanks in a row is not read (`dns/senders/signatures.ts`); those of ' +
			'a key or a policy: theirs are taken out before (`keys.ts`, `dmarcPolicy.ts`).',
	},
	{
		source: '[\\r\\n]+$',
		file: 'node_modules/mailauth/lib/tools.js',
		harmless: 'The library’s reader of whole headers, which is not called: it gets their fields.',
	},
	{
		source: '\\.+$',
		file: 'node_modules/mailauth/lib/tools.js',
		harmless: 'Alignment as the library judges it, which is not called: it is given no From.',
	},
	{
		source: '^[ \\t]+|[ \\t]+$',
		file: 'node_modules/mailauth/lib/tools.js',
		harmless:
			'Names of fields: those that a signature covers are written without blanks (h=), and blanks in a field’s name are ' +
			'before its colon only, where the first try succeeds.',
	},
	{
		source: '\\p{Nd}\\S*(?: \\p{L}{1,2})? \\p{L}+\\.$',
		file: 'nodes/EmailIdentity/email/reply/attributions.ts',
		harmless: 'It is given 24 characters at most.',
	},
	...[
		'[.。\\s()[\\]<>]+$|^[\\s([<]+',
		'[<([]\\s*https?:\\/\\/[^\\s<>()[\\]]*\\s*[>)\\]]|https?:\\/\\/\\S*$',
	].map((source) => ({
		source,
		file: 'nodes/EmailIdentity/email/reply/signatures.ts',
		harmless: 'It is given the short line of an app (`MAX_APP_LINE`).',
	})),
];

const WORD_LIST = 'Made of a constant list of words while loading, and judged as it is then.';
const ATTRIBUTIONS = 'nodes/EmailIdentity/email/reply/attributions.ts';

/** Those that are made while the nodes run; `source` is the argument as it is written. */
export const MADE: readonly Exception[] = [
	{
		source: 'forms.join("|")',
		file: 'nodes/EmailIdentity/api/redaction.ts',
		harmless: 'Alternatives without repetition, of a secret that the user entered.',
	},
	{
		source: '`((?:${names})${spellings("=")})[^\\\\s"\'<>&#\\\\\\\\]+`',
		file: 'nodes/EmailIdentity/api/redaction.ts',
		harmless: 'Made while loading, and judged as it is then.',
	},
	...[
		'VERB',
		'`${VERB}(?:\\\\(a\\\\)|ว่า|a)?$`',
		'`^${BEGINNING}(?:[\\\\s-][^\\\\p{Nd}]{0,30})?\\\\p{Nd}`',
		'`^${BEGINNING}[\\\\s-]`',
		'`^.{0,300}?[>)\\\\]] ?${VERB} ?[:：](?= )`',
	].map((source) => ({ source, file: ATTRIBUTIONS, harmless: WORD_LIST })),
	{
		source: '`(?<!\\\\p{L})(?:${POINTERS.join("|")})(?!\\\\p{L})|${JOINED_POINTERS.join("|")}`',
		file: 'nodes/EmailIdentity/email/reply/earlierEmails.ts',
		harmless: WORD_LIST,
	},
	...['FLAGS', '`(${NEEDED})|[\\\\p{DI}\\\\ufff9-\\\\ufffb]`'].map((source) => ({
		source,
		file: 'nodes/EmailIdentity/email/invisible.ts',
		harmless: 'Made of constants while loading, and judged as it is then.',
	})),
];
