import { wordList, type Line } from './lines';
import { isRule } from './separators';

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

const MAX_LABEL = 25;

// With Cc, Reply-To, importance and addresses that take several lines.
const MAX_LINES = 25;

/** The header of an earlier email, as mail programs repeat it above its text. */
export interface HeaderBlock {
	subject: string | undefined;
	/** Its From has an address. */
	hasAddress: boolean;
}

/** The header that begins with this line: who sent an email when, to whom or about what. */
export function readHeaderBlock(lines: readonly Line[], start: number): HeaderBlock | undefined {
	const first = lines[start] as Line;
	const role = readLabel(first)?.role;
	if (role === undefined || role === 'to') return undefined;
	const found = new Map<Role, string>();
	let current: Role | undefined;
	for (const line of lines.slice(start, start + MAX_LINES)) {
		if (line.isQuoted !== first.isQuoted || line.text === '' || isRule(line.text)) break;
		const label = readLabel(line);
		// A second From begins another header, or a list of the author's own.
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
	const colon = text.slice(0, MAX_LABEL).search(/[:：]/);
	if (colon < 1) return undefined;
	const label = text.slice(0, colon).replace(/[*_]/g, '').trim().toLowerCase();
	const role = ROLES.get(label);
	if (role === undefined && !/^[\p{L} -]+$/u.test(label)) return undefined;
	return { role, value: text.slice(colon + 1).replace(/^[*_ ]+/, '') };
}
