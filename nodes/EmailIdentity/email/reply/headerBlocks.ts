import type { Line } from './lines';
import { isRule } from './separators';

/** What a line of an earlier email's header is about. */
type Role = 'from' | 'date' | 'to' | 'subject';

/** By language: who, when, to whom, what; several names of one are separated by `|`. */
const LABELS: ReadonlyArray<readonly [from: string, date: string, to: string, subject: string]> = [
	['from', 'sent|date', 'to', 'subject'],
	['von', 'gesendet|datum|gesendet am', 'an', 'betreff'],
	['de|expéditeur', 'envoyé|date|envoyé le', 'à|a', 'objet|sujet'],
	['de', 'enviado|enviado el|fecha', 'para', 'asunto'],
	['da', 'inviato|data|inviato il', 'a', 'oggetto'],
	['de', 'enviado|enviada em|enviado em|enviada|data', 'para', 'assunto'],
	['de', 'enviat|enviat el|data', 'per a|a', 'assumpte|tema'],
	['van', 'verzonden|datum', 'aan', 'onderwerp'],
	['od', 'wysłano|wysłane|data', 'do', 'temat'],
	['från', 'skickat|datum', 'till', 'ämne'],
	['fra', 'sendt|dato', 'til', 'emne'],
	['lähettäjä', 'lähetetty|päivämäärä|päiväys|pvm', 'vastaanottaja|kenelle', 'aihe'],
	['od', 'odesláno|datum', 'komu', 'předmět'],
	['od', 'odoslané|dátum', 'komu', 'predmet'],
	['feladó|küldő', 'elküldve|dátum|küldve', 'címzett', 'tárgy'],
	['de la|expeditor', 'trimis|data|dată', 'către|la', 'subiect'],
	['kimden|gönderen', 'gönderildi|gönderme tarihi|tarih', 'kime|alıcı', 'konu'],
	['от|от кого', 'отправлено|дата', 'кому', 'тема'],
	['від|від кого', 'надіслано|дата', 'кому', 'тема'],
	['от', 'изпратено|дата', 'до', 'относно'],
	['από', 'στάλθηκε|ημερομηνία|αποστολή', 'προς', 'θέμα'],
	['发件人|发自', '发送时间|日期|时间|发送日期', '收件人|发送至', '主题'],
	['寄件者|寄件人', '寄件日期|日期|傳送時間', '收件者|收件人', '主旨'],
	['差出人|送信者|from', '送信日時|日付|日時', '宛先', '件名'],
	['보낸 사람|보낸사람|발신', '보낸 날짜|날짜|보냄|보낸날짜', '받는 사람|받는사람|수신', '제목'],
	['מאת', 'נשלח|תאריך|בתאריך', 'אל', 'נושא'],
	['من', 'تم الإرسال|التاريخ|تاريخ|مرسل', 'إلى', 'الموضوع'],
	['từ', 'đã gửi|ngày|thời gian', 'đến|tới', 'chủ đề'],
	['dari', 'dikirim|tanggal', 'kepada|ke', 'subjek|perihal'],
];

const ROLES = new Map<string, Role>();
for (const [from, date, to, subject] of LABELS) {
	const byRole = { from, date, to, subject };
	for (const [role, labels] of Object.entries(byRole)) {
		for (const label of labels.split('|')) ROLES.set(label, role as Role);
	}
}

const LONGEST_LABEL = 25;

// With Cc, Reply-To, importance and addresses that take several lines.
const MOST_LINES_OF_HEADER = 25;

/** The header of an earlier email, as mail programs repeat it above its text. */
export interface HeaderBlock {
	/** Undefined where it shows none. */
	subject: string | undefined;
}

/** The header that begins with this line: who sent an email when, to whom or about what. */
export function readHeaderBlock(lines: readonly Line[], start: number): HeaderBlock | undefined {
	const first = lines[start];
	const role = readLabel(first)?.role;
	if (role === undefined || role === 'to') return undefined;
	const found = new Map<Role, string>();
	let current: Role | undefined;
	for (let index = start; index < start + MOST_LINES_OF_HEADER; index++) {
		const line = lines[index];
		if (line === undefined || line.quoting !== 'none' || line.text === '') break;
		if (line.mark !== first?.mark || isRule(line.text)) break;
		const label = readLabel(line);
		// What begins anew is another header, or a list of somebody's own.
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
	return isHeader ? { subject: found.get('subject') } : undefined;
}

function readLabel(line: Line | undefined): { role: Role | undefined; value: string } | undefined {
	if (line === undefined || line.quoting !== 'none') return undefined;
	const colon = line.text.slice(0, LONGEST_LABEL).search(/[:：]/);
	if (colon < 1) return undefined;
	const label = line.text.slice(0, colon).replace(/[*_]/g, '').trim().toLowerCase();
	const role = ROLES.get(label);
	const isOther = role === undefined && /^[\p{L} -]+$/u.test(label);
	if (role === undefined && !isOther) return undefined;
	return { role, value: line.text.slice(colon + 1).replace(/^[*_ ]+/, '') };
}
