import { plainLetters } from '../../basics';
import { readStructured, type ContentHeader } from '../mime/contentHeader';
import { decodeWords } from '../mime/headerFields';
import { EMAIL_LIMITS } from '../limits';

export type Automatic = 'bounce' | 'report' | 'reply' | 'reaction' | 'list';

/**
 * Beginnings of the subjects of automatic mail, in the languages of Outlook, Exchange, Gmail, Domino and Zimbra. Accents
 * and case do not matter. People write such subjects, too, so a subject alone is not enough, and ordinary words must be
 * followed by a colon.
 */
const REPLY = `Automatic reply | Auto-reply | Auto reply | Autoreply | Automated reply | Automatic response |
	Auto-response | Auto response | Autoresponse | Automated response | Autoresponder | Auto: | Out of office |
	Out of the office | Out-of-office | OOO: | OOF: | Away: | Away notice | Vacation: | Vacation reply | On vacation: |
	On leave: | Automatische Antwort | Automatische Rückantwort | Abwesenheitsnotiz | Abwesenheit: | Abwesend: |
	Nicht im Büro | Im Urlaub: | Réponse automatique | Absence du bureau | Absent du bureau | Message d'absence |
	Absence: | Absent: | Respuesta automática | Fuera de la oficina | Fuera de oficina | Ausente: | Resposta automática |
	Fora do escritório | Ausência: | Risposta automatica | Fuori sede | Fuori ufficio | Assenza: | Assente: |
	Automatisch antwoord | Afwezig: | Afwezigheidsbericht | Niet aanwezig: | Automatisk svar | Autosvar |
	Automatiskt svar | Fraværende: | Ikke til stede: | Frånvaro: | Frånvarande: | Ej på kontoret |
	Automaattinen vastaus | Poissa: | Poissaoloviesti | Automatyczna odpowiedź | Odpowiedź automatyczna |
	Autoodpowiedź | Poza biurem | Nieobecność: | Automatická odpověď | Mimo kancelář | Automatická odpoveď |
	Mimo kancelárie | Automatikus válasz | Házon kívül | Irodán kívül | Răspuns automat | Absent de la birou |
	Автоматичен отговор | Автоматический ответ | Автоответ | Нет на рабочем месте | Автоматична відповідь |
	Автовідповідь | Αυτόματη απάντηση | Εκτός γραφείου | Otomatik yanıt | Otomatik cevap | Ofis dışında |
	תשובה אוטומטית | מענה אוטומטי | מחוץ למשרד | رد تلقائي | الرد التلقائي | خارج المكتب | 自動応答 | 自動返信 | 不在通知 |
	자동 회신 | 자동회신 | 자동 응답 | 부재 중 | 自动答复 | 自动回复 | 自動回覆 | 自動答覆 | ตอบกลับอัตโนมัติ | การตอบกลับอัตโนมัติ |
	Trả lời tự động | Thư trả lời tự động | Balasan otomatis | Balas otomatis | Resposta automàtica |
	Erantzun automatikoa | Automatski odgovor | Samodejni odgovor | Аутоматски одговор | Automaatvastus |
	Automaatne vastus | Automātiska atbilde | Automātiskā atbilde | Automatinis atsakymas | Sjálfvirkt svar`;

const BOUNCE = `Undeliverable: | Undeliverable mail | Undeliverable message | Undelivered mail | Undelivered message |
	Delivery status notification | Delivery failure: | Mail delivery failed | Mail delivery failure |
	Mail could not be delivered | メッセージを配信できません |
	Mail delivery system | Mail delivery subsystem | Mail system error | Message delivery failure |
	Message undeliverable | Returned mail | Failure notice | Warning: could not send | Warning: message |
	Non-delivery | NDN: | Nondeliverable mail | Unzustellbar: | Nicht zustellbar: | Non remis : | Non remis: |
	Non distribué | Échec de la remise | No se puede entregar: | Não é possível entregar: | Não entregue: |
	Não foi possível entregar: | Non recapitabile: | Impossibile recapitare: | Mancata consegna: | Onbestelbaar: |
	Kan ikke leveres: | Ikke leveret: | Kan ikke levere: | Kan inte levereras: | Går inte att leverera: |
	Ei voi toimittaa: | Niedostarczalne: | Nie można dostarczyć: | Nedoručitelné: | Nedoručiteľné: |
	Kézbesíthetetlen: | Imposibil de livrat: | Недоставено: | Недоставлено: | Не удается доставить: |
	Неможливо доставити: | Δεν είναι δυνατή η παράδοση: | Teslim edilemedi: | 配信不能: | 配信できません: | 배달되지 않음: |
	배달할 수 없음: | 无法送达: | 未传递: | 無法傳遞: | 退信`;

const FORWARDED = `Fw: | Fwd: | Wg: | Tr: | Rv: | Enc: | Doorst: | Vs: | Vb: | Vl: | I: | İlt: | Pd: | Přep: | Továbbítás: |
	Redir: | Redirected: | 転送: | 转发: | 轉寄: | 전달:`;

const startsWithAnyOf = (written: string) => {
	const beginnings = written.split('|').map(plainLetters);
	return (plainSubject: string) =>
		beginnings.some((beginning) => `${plainSubject}:`.startsWith(beginning));
};

const isLikeReply = startsWithAnyOf(REPLY);
const isLikeBounce = startsWithAnyOf(BOUNCE);
const isLikeForwarded = startsWithAnyOf(FORWARDED);

/** Notices about mail have an empty return path (RFC 5321, 4.5.5), and so does some spam. */
export const isNullSender = (returnPath: string) => /^\s*<\s*>/.test(returnPath);

/** A reaction of Gmail, or of RFC 9078. */
export function isReaction({ type, disposition }: ContentHeader): boolean {
	return type === 'text/vnd.google.email-reaction+json' || disposition === 'reaction';
}

/**
 * The kind of an automatic email. The first matching rule applies, so a bounce of a list's mail is a bounce, and an
 * out-of-office notice sent through a list is a reply.
 *
 * Not enough alone: `Auto-Submitted: auto-generated` and `X-Auto-Response-Suppress` are also in messages that people write
 * in Zendesk, Jira or SharePoint, and people also write subjects like "Out of office".
 *
 * @param header fields by name in lower case; of repeated fields the topmost one, which the last server added
 */
export function automaticOf(header: ReadonlyMap<string, string>): Automatic | null {
	const field = (name: string) => (header.get(name) ?? '').slice(0, EMAIL_LIMITS.field).trim();
	const has = (...names: string[]) => names.some((name) => header.has(name));
	const { value: type, parameters } = readStructured(field('content-type'));
	const reportType = parameters.get('report-type')?.toLowerCase() ?? '';
	const isReport = type === 'multipart/report';
	const from = field('from');
	const [mailbox = ''] = (mailboxIn(from) || from.toLowerCase()).split(/[@<]/, 1);
	const sender = mailbox.trim();
	const subject = plainLetters(decodeWords(field('subject')));
	// Some servers write the empty address in From.
	const hasNullSender = isNullSender(field('return-path')) || from.endsWith('<>');
	const isAutoSubmitted = /^auto-/i.test(field('auto-submitted'));
	const suppressesReplies = /\b(?:all|oof|autoreply)\b/i.test(field('x-auto-response-suppress'));

	// RFC 3464 (delivery status), RFC 6522 and 6533
	const isStatus = isReport && /^(?:global-)?delivery-status$/.test(reportType);
	if (isStatus || type === 'message/delivery-status') return 'bounce';

	// RFC 8098 (read receipts), RFC 5965 (abuse), RFC 6591 (DMARC failures), RFC 8460 (TLS)
	const isOtherReport = isReport && reportType !== '';
	if (isOtherReport || type === 'message/disposition-notification') return 'report';

	// Exim and Gmail; Exchange, with an empty field; qmail, sendmail and others write as MAILER-DAEMON, James as post_master
	if (has('x-failed-recipients', 'x-ms-exchange-message-is-ndr')) return 'bounce';
	if (sender === 'mailer-daemon' || sender === 'post_master') return 'bounce';

	// Exchange, MDaemon and Domino write as postmaster, who may also be a person
	const isByProgram = hasNullSender || isAutoSubmitted;
	if (sender === 'postmaster' && (isByProgram || isLikeBounce(subject))) return 'bounce';

	// RFC 5321, 4.5.5: a bounce has an empty return path
	if (isLikeBounce(subject) && (isByProgram || isReport)) return 'bounce';

	// RFC 6522 requires the type of a report, but old mail servers omit it
	if (isReport) return 'report';

	// RFC 9990 (DMARC aggregates) and RFC 8460, 5.3 (TLS); Outlook.com's complaints (JMRP)
	if (has('tls-report-domain', 'x-hmxmroriginalrecipient')) return 'report';
	if (/^complaint about message from [\d.:a-f]+$/.test(subject)) return 'report';
	if (subject.includes('report domain:') && /submitter:|report-id:/.test(subject)) return 'report';

	// RFC 3834, 5; RFC 5230, 4.7 (Sieve); Gmail, iCloud, Zimbra, Proton, cPanel, Plesk and many others
	if (
		/^auto-replied\b/i.test(field('auto-submitted')) ||
		/^(?!no\b|false\b)\S/i.test(field('x-autoreply')) ||
		has('x-autorespond', 'x-autoresponder', 'x-autoreply-from', 'x-mail-autoreply') ||
		/^autoresponder\b/i.test(field('delivered-to')) ||
		/\breply\b/i.test(field('x-autogenerated')) ||
		/^vacation\b/i.test(field('x-apple-action')) ||
		['precedence', 'x-precedence', 'preference'].some((name) => /^auto[_-]?repl/i.test(field(name)))
	) {
		return 'reply';
	}

	// Exchange names the mailbox whose rule wrote it: out-of-office notices and replies, but also forwarded emails
	const ruleOf = field('x-ms-exchange-inbox-rules-loop');
	const isByRule = ruleOf !== '' && mailboxIn(ruleOf) === mailboxIn(from);
	const isByExchange = suppressesReplies && isAutoSubmitted && isByRule;
	if (isByExchange && !isLikeForwarded(subject)) return 'reply';

	// Subjects of out-of-office notices, with a header that people do not send
	const isInBulk = /^(?:bulk|junk)\b/i.test(field('precedence'));
	if (isLikeReply(subject) && (isByProgram || suppressesReplies || isInBulk)) return 'reply';

	// RFC 3834, 3.3: an automatic reply has an empty return path
	if (hasNullSender && has('in-reply-to', 'references')) return 'reply';

	// RFC 2919, 2369 and 2076, 3.9; Mailman, Google Groups, newsletters, GitHub
	const isOfList = has(
		'list-id',
		'list-post',
		'list-unsubscribe',
		'mailing-list',
		'x-mailing-list',
	);
	const isMass =
		isOfList || has('x-beenthere') || /^(?:bulk|junk|list)\b/i.test(field('precedence'));
	return isMass ? 'list' : null;
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
