import { trimOf } from '../../basics';
import { wordList, type Line } from './lines';

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

/** Words above a forwarded email, which is kept because the new email is about it. */
const FORWARDED_MESSAGE = wordList(
	`forwarded message | begin forwarded message | begin forwarded text | forwarded by | forwarded email | forwarded mail |
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
);

const MAX_RULE = 200;
const MIN_RULE = 4;

/** Whether a line announces an earlier email, between dashes. */
export function isOriginalMessageRule(text: string): boolean {
	return isRuleChar(text.charAt(0)) && ORIGINAL_MESSAGE.has(announcementOf(text));
}

/** Whether a line announces a forwarded email. Some mail programs write no dashes, others name the sender: `-- Forwarded by Ada --`. */
export function isForwardRule(text: string): boolean {
	const written = announcementOf(text);
	const isBelowDashes = text.startsWith('--');
	return FORWARDED_MESSAGE.some(
		(words) => written === words || (isBelowDashes && written.startsWith(`${words} `)),
	);
}

export function isRule(text: string): boolean {
	return text.length >= MIN_RULE && withoutRule(text) === '';
}

/** "Ada Lovelace ---21.11.2026 10:00:00---", which Notes writes above the header of an earlier email. */
export function isNotesRule(text: string): boolean {
	const parts = text.slice(0, MAX_RULE).split('---');
	return parts.length === 3 && /^\s*\p{Nd}/u.test(parts[1] ?? '');
}

function announcementOf(text: string): string {
	if (text.length > MAX_RULE) return '';
	return withoutRule(text)
		.toLowerCase()
		.replace(/ ?[:：]$/, '');
}

function withoutRule(text: string): string {
	return trimOf(text, isRuleChar).trim();
}

function isRuleChar(character: string): boolean {
	return '-_=*—–~─'.includes(character);
}

type Role = 'from' | 'date' | 'to' | 'subject';

/** Labels of all languages, in lower case. */
const LABELS: Readonly<Record<Role, string>> = {
	from: `from | von | de | expéditeur | da | van | od | från | fra | lähettäjä | feladó | küldő | de la | expeditor |
		kimden | gönderen | от | от кого | від | від кого | από | 发件人 | 发自 | 寄件者 | 寄件人 | 差出人 | 送信者 | 보낸 사람 | 보낸사람 |
		발신 | מאת | من | từ | dari | saatja | pošiljatelj`,
	date: `sent | date | gesendet | datum | gesendet am | envoyé | envoyé le | enviado | enviado el | fecha | inviato |
		data | inviato il | enviada em | enviado em | enviada | enviat | enviat el | verzonden | wysłano | wysłane |
		skickat | sendt | dato | lähetetty | päivämäärä | päiväys | pvm | odesláno | odoslané | dátum | elküldve |
		küldve | trimis | dată | gönderildi | gönderme tarihi | tarih | отправлено | дата | надіслано | изпратено |
		στάλθηκε | ημερομηνία | αποστολή | 发送时间 | 日期 | 时间 | 发送日期 | 寄件日期 | 傳送時間 | 送信日時 | 日付 | 日時 | 보낸 날짜 | 날짜 | 보냄 |
		보낸날짜 | נשלח | תאריך | בתאריך | تم الإرسال | التاريخ | تاريخ | مرسل | đã gửi | ngày | thời gian | dikirim |
		tanggal | saadetud | kuupäev | poslano | message du`,
	to: `to | an | à | a | para | per a | aan | do | till | til | vastaanottaja | kenelle | komu | címzett | către |
		la | kime | alıcı | кому | до | προς | 收件人 | 发送至 | 收件者 | 宛先 | 받는 사람 | 받는사람 | 수신 | אל | إلى | đến | tới |
		kepada | ke | adressaat | saaja | za`,
	subject: `subject | betreff | objet | sujet | asunto | oggetto | assunto | assumpte | tema | onderwerp | temat | ämne |
		emne | aihe | předmět | predmet | tárgy | subiect | konu | тема | относно | θέμα | 主题 | 主旨 | 件名 | 제목 | נושא |
		الموضوع | chủ đề | subjek | perihal | teema | zadeva | naslov`,
};

const ROLES: ReadonlyMap<string, Role> = new Map(
	Object.entries(LABELS).flatMap(([role, labels]) =>
		wordList(labels).map((label) => [label, role as Role] as const),
	),
);

const MAX_HEADER_LABEL = 25;

// Includes Cc, Reply-To, importance and addresses on several lines.
const MAX_HEADER_LINES = 25;

/** The header of an earlier email, which mail programs repeat above its text. */
interface HeaderBlock {
	subject: string | undefined;
	hasAddress: boolean;
}

/** The header that begins with this line: sender, date, and recipient or subject. */
export function readHeaderBlock(lines: readonly Line[], start: number): HeaderBlock | undefined {
	const first = lines[start] as Line;
	const role = readLabel(first)?.role;
	if (role === undefined || role === 'to') return undefined;
	const found = new Map<Role, string>();
	let current: Role | undefined;
	for (const line of lines.slice(start, start + MAX_HEADER_LINES)) {
		if (line.isQuoted !== first.isQuoted || line.text === '' || isRule(line.text)) break;
		const label = readLabel(line);
		// A second From begins another header.
		if (label?.role && found.has(label.role)) break;
		if (label) {
			current = label.role;
			if (current) found.set(current, label.value);
		} else if (current) {
			found.set(current, `${found.get(current) ?? ''} ${line.text}`.trim());
		}
	}
	const isHeader =
		found.has('from') && found.has('date') && (found.has('to') || found.has('subject'));
	if (!isHeader) return undefined;
	const hasAddress = found.get('from')?.includes('@') ?? false;
	return { subject: found.get('subject'), hasAddress };
}

function readLabel({ text }: Line): { role: Role | undefined; value: string } | undefined {
	const colon = text.slice(0, MAX_HEADER_LABEL).search(/[:：]/);
	if (colon < 1) return undefined;
	const label = text.slice(0, colon).replace(/[*_]/g, '').trim().toLowerCase();
	return { role: ROLES.get(label), value: text.slice(colon + 1) };
}

/** Words for answers within the earlier email, by place or by colour. */
const POINTERS = wordList(
	`below | inline | in-line | in line with your | interspersed | in red | in blue | in green | unten | untenstehend | im text |
	in rot | in blau | in grün | in deiner mail | ci-dessous | ci dessous | ci-après | plus bas | en rouge | en bleu | en vert |
	dans le texte | más abajo | a continuación | en rojo | en azul | en verde | en el texto | di seguito | qui sotto | più sotto |
	in rosso | in blu | in verde | nel testo | abaixo | a seguir | em vermelho | em azul | em verde | no texto | hieronder |
	onderstaand | in rood | in blauw | in het groen | in de tekst | poniżej | na czerwono | na niebiesko | na zielono | w treści |
	w tekście | nedan | i rött | i blått | i grönt | i texten | nedenfor | nedenunder | med rødt | i rødt | med blåt | med blått |
	i teksten | alla oleva | katso alla | vastaukset alla | punaisella | sinisellä | tekstin seassa | níže | červeně | modře | v textu | nižšie | alább | lejjebb |
	pirossal | kékkel | mai jos | cu roșu | cu albastru | în text | aşağıda | kırmızı | mavi ile | metin içinde | ниже | красным |
	синим | в тексте | нижче | червоним | у тексті | παρακάτω | με κόκκινο | להלן | למטה | באדום | أدناه | بالأحمر | bên dưới |
	di bawah`,
);

const JOINED_POINTERS = wordList(
	`下面 | 下方 | 如下 | 红色 | 紅色 | 蓝色 | 藍色 | 下記 | 以下に | 赤字 | 青字 | インライン | 아래 | 빨간 | 파란 | 인라인`,
);

const POINTER = new RegExp(
	`(?<!\\p{L})(?:${POINTERS.join('|')})(?!\\p{L})|${JOINED_POINTERS.join('|')}`,
	'iu',
);

// These words are near the top.
const MAX_LINES_ABOVE = 200;

/**
 * Whether the sender says that the answers are within the earlier email. Without quote marks, all of it is kept, because the
 * answers cannot be recognized.
 */
export function pointsBelow(lines: readonly Line[]): boolean {
	return lines
		.slice(0, MAX_LINES_ABOVE)
		.some(({ text, isQuoted }) => !isQuoted && POINTER.test(text));
}
