import { plainLetters } from '../../basics';
import { EMAIL_LIMITS } from '../limits';
import { readStructured } from '../mime/contentHeader';
import { decodeWords } from '../mime/encodedWords';
import { readSubject } from './subjectPrefixes';

/** Before a subject; genuine ones have one or two. */
const MAX_TAGS = 5;

/** In brackets before the subject: what a gateway adds, such as `[External]`, or that it is an automatic reply. */
const TAG = /^[[(【]([^[\]()【】]{0,100})[\])】]/;

/** The header of one email, as the rules for automatic emails look at it. */
export class AutomaticHeader {
	/** The content type in lower case, such as `multipart/report`; `''` if missing. */
	readonly type: string;

	/** The type of a `multipart/report` in lower case; `''` if missing, or of another email. */
	readonly reportType: string;

	/** The mailbox in From without its domain, in lower case. */
	readonly fromMailbox: string;

	/** Written for comparison, see `plainLetters`. */
	readonly subject: string;

	readonly hasNullSender: boolean;

	readonly isAutoSubmitted: boolean;

	/** Asks Exchange not to answer. */
	readonly suppressesReplies: boolean;

	/** @param fields by name in lower case */
	constructor(private readonly fields: ReadonlyMap<string, string>) {
		const { value: type, parameters } = readStructured(this.field('content-type'));
		const from = this.field('from');
		const mailbox = mailboxIn(from) || from.toLowerCase();
		const reportType = parameters.get('report-type') ?? '';
		this.type = type;
		this.reportType = type === 'multipart/report' ? reportType.toLowerCase() : '';
		this.fromMailbox = (mailbox.split(/[@<]/, 1)[0] ?? '').trim();
		this.subject = plainLetters(decodeWords(this.field('subject')));
		// Some servers write the empty address in From.
		this.hasNullSender = isNullSender(this.field('return-path')) || from.endsWith('<>');
		this.isAutoSubmitted = /^auto-/i.test(this.field('auto-submitted'));
		this.suppressesReplies = /\b(?:all|oof|autoreply)\b/i.test(
			this.field('x-auto-response-suppress'),
		);
	}

	/** `''` if missing. */
	field(name: string): string {
		return (this.fields.get(name) ?? '').slice(0, EMAIL_LIMITS.field).trim();
	}

	/** Whether it has one of these fields, also an empty one. */
	has(...names: string[]): boolean {
		return names.some((name) => this.fields.has(name));
	}

	/** Whether the subject, or what is in brackets before it, begins with one of these. */
	isTitled(beginnings: readonly string[]): boolean {
		let rest = this.subject;
		for (let tags = 0; tags <= MAX_TAGS; tags++) {
			const [tag, tagged] = TAG.exec(rest) ?? [];
			const title = `${tagged ?? rest}:`;
			if (beginnings.some((beginning) => title.startsWith(beginning))) return true;
			if (tag === undefined) return false;
			rest = rest.slice(tag.length).trim();
		}
		return false;
	}

	/** Whether a program wrote it, also for a person. */
	get isByProgram(): boolean {
		return this.hasNullSender || this.isAutoSubmitted;
	}

	/** Whether a rule of the sender's mailbox wrote it in Exchange. */
	get isByOwnRule(): boolean {
		const rule = this.field('x-ms-exchange-inbox-rules-loop');
		return rule !== '' && mailboxIn(rule) === mailboxIn(this.field('from'));
	}

	get isForwarded(): boolean {
		const { conversation } = readSubject(decodeWords(this.field('subject')));
		return conversation === 'forward' || conversation === 'either';
	}

	get isInBulk(): boolean {
		return /^(?:bulk|junk)\b/i.test(this.field('precedence'));
	}

	get isOfList(): boolean {
		return this.has('list-id', 'list-post', 'list-unsubscribe', 'mailing-list', 'x-mailing-list');
	}
}

/**
 * Whether a return path says that nobody gets notices about this email (RFC 5321, 4.5.5): `<>`, which Postfix writes as
 * `<MAILER-DAEMON>` and others with a host, and AOL as `<null>`. So do automatic emails, and some spam.
 */
export function isNullSender(returnPath: string): boolean {
	const [, bracketed] = /^\s*<([^<>]*)>/.exec(returnPath) ?? [];
	const [mailbox = ''] = (bracketed ?? returnPath).trim().toLowerCase().split('@', 1);
	if (mailbox === 'mailer-daemon') return true;
	return bracketed?.trim() === '' || bracketed?.toLowerCase() === 'null';
}

/** The address in `Name <address>`, in lower case. The name may contain anything. */
function mailboxIn(value: string): string {
	const start = value.lastIndexOf('<') + 1;
	const end = value.indexOf('>', start);
	return value
		.slice(start, end < 0 ? undefined : end)
		.trim()
		.toLowerCase();
}
