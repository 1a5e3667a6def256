import { wordList } from './lines';

/** Words between dashes above an earlier email, in lower case. */
const ORIGINAL_MESSAGE: ReadonlySet<string> = new Set(
	wordList(
		`original message | original e-mail | original email | reply message | original appointment |
		ursprüngliche nachricht | originalnachricht | original-nachricht | ursprüngliche mail | antwort nachricht |
		message d'origine | message d’origine | message original | mail original | courriel original | mensaje original |
		missatge original | mensagem original | messaggio originale | oorspronkelijk bericht | origineel bericht |
		oorspronkelijke bericht | wiadomość oryginalna | oryginalna wiadomość | wiadomość pierwotna |
		ursprungligt meddelande | originalmeddelande | oprindelig meddelelse | oprindelig besked | opprinnelig melding |
		alkuperäinen viesti | algne kiri | originali žinutė | původní zpráva | původní e-mail | původní email |
		pôvodná správa | izvorna poruka | eredeti üzenet | mesaj original | mesajul original | orijinal mesaj | özgün ileti |
		исходное сообщение | оригинальное сообщение | вихідне повідомлення | αρχικό μήνυμα | 原始邮件 | 原邮件 | 原始郵件 |
		原始訊息 | 回复的原邮件 | 元のメッセージ | オリジナルメッセージ | 원본 메일 | 원본 메시지 | 원본 이메일 | הודעה מקורית |
		الرسالة الأصلية | thư gốc | pesan asli`,
	),
);

/** Words above a forwarded email, which is no history: the email is about it. */
const FORWARDED_MESSAGE: ReadonlySet<string> = new Set(
	wordList(
		`forwarded message | begin forwarded message | forwarded by | forwarded email | forwarded mail |
		weitergeleitete nachricht | anfang der weitergeleiteten nachricht | weitergeleitete mail | message transféré |
		début du message transféré | début du message réexpédié | message réexpédié | mensaje reenviado |
		inicio del mensaje reenviado | missatge reenviat | mensagem encaminhada | mensagem reencaminhada |
		início da mensagem encaminhada | início da mensagem reenviada | messaggio inoltrato | inizio messaggio inoltrato |
		doorgestuurd bericht | begin doorgestuurd bericht | przekazana wiadomość | wiadomość przekazana |
		treść przekazanej wiadomości | początek przekazywanej wiadomości | vidarebefordrat meddelande |
		vidarebefordrat brev | vidarebefordrat mejl | videresendt meddelelse | videresendt besked | videresendt melding |
		videresendt e-post | välitetty viesti | edelleenlähetetty viesti | přeposlaná zpráva | preposlaná správa |
		továbbított üzenet | mesaj redirecționat | iletilen mesaj | yönlendirilmiş ileti | пересылаемое сообщение |
		пересланное сообщение | начало переадресованного сообщения | переслане повідомлення | προωθημένο μήνυμα | 转发的邮件 |
		转发邮件信息 | 转发的消息 | 轉寄郵件 | 转发邮件 | 転送されたメッセージ | 転送メッセージ | 전달된 메일 | 전달된 메시지 | הודעה שהועברה |
		رسالة معاد توجيهها | الرسالة المحولة`,
	),
);

const MAX_LENGTH = 200;
const MIN_RULE = 4;

/** A line that says between dashes that an earlier email follows. */
export function isOriginalMessageRule(text: string): boolean {
	return isRuleChar(text.charAt(0)) && ORIGINAL_MESSAGE.has(wordsOf(text));
}

/** A line above a forwarded email; some mail programs draw no dashes around the words. */
export function isForwardRule(text: string): boolean {
	return FORWARDED_MESSAGE.has(wordsOf(text));
}

/** A line of dashes or the like, and nothing else. */
export function isRule(text: string): boolean {
	return text.length >= MIN_RULE && withoutRule(text) === '';
}

/** "Ada Lovelace ---21.11.2026 10:00:00---", which Notes writes above the header of an earlier email. */
export function isNotesRule(text: string): boolean {
	const parts = text.slice(0, MAX_LENGTH).split('---');
	return parts.length === 3 && /^\s*\p{Nd}/u.test(parts[1] ?? '');
}

function wordsOf(text: string): string {
	if (text.length > MAX_LENGTH) return '';
	return withoutRule(text)
		.toLowerCase()
		.replace(/ ?[:：]$/, '');
}

function withoutRule(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && isRuleChar(text.charAt(start))) start++;
	while (end > start && isRuleChar(text.charAt(end - 1))) end--;
	return text.slice(start, end).trim();
}

function isRuleChar(character: string): boolean {
	return '-_=*—–~─'.includes(character);
}
