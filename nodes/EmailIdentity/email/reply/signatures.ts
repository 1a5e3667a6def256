import { isBlank, skipBlanksAbove, type Line } from './lines';

/** How apps say that they sent an email, in lower case: how the line begins, and how it ends where that matters. */
const SENT_FROM: ReadonlyArray<readonly [beginning: string, end?: string]> = [
	['sent from '],
	['sent via '],
	['sent with '],
	['von ', ' gesendet'],
	['diese nachricht wurde von ', ' gesendet'],
	['gesendet '],
	['envoyé de '],
	['envoyé depuis '],
	['envoyé à partir '],
	['enviado desde '],
	['enviado do '],
	['enviado a partir do '],
	['enviado pelo '],
	['enviat des '],
	['inviato da '],
	['inviato dal '],
	['verzonden vanaf '],
	['verstuurd vanaf '],
	['wysłane z '],
	['wysłano z '],
	['skickat från '],
	['sendt fra '],
	['lähetetty '],
	['odesláno z '],
	['odoslané z '],
	['elküldve '],
	['küldve '],
	['trimis de pe '],
	['poslano iz '],
	['poslano s '],
	['', ' gönderildi'],
	['отправлено с '],
	['отправлено из '],
	['надіслано з '],
	['изпратено от '],
	['στάλθηκε από '],
	['发自'],
	['從我的', '傳送'],
	['', 'から送信'],
	['', '에서 보냄'],
	['נשלח מ'],
	['أرسلت من '],
	['أُرسلت من '],
	['تم الإرسال من '],
	['được gửi từ '],
	['dikirim dari '],
	// Outlook advertises itself instead.
	['get outlook for '],
	['holen sie sich outlook '],
	['outlook für ', ' herunterladen'],
	['laden sie outlook '],
	['télécharger outlook '],
	['obtenez outlook '],
	['obtener outlook '],
	['descargar outlook '],
	['ottieni outlook '],
	['scarica outlook '],
	['obter o outlook '],
	['download outlook '],
	['outlook voor '],
	['pobierz outlook '],
	['pobierz program outlook '],
	['hämta outlook '],
	['hent outlook '],
	['hanki outlook '],
	['získat outlook '],
	['скачать outlook '],
	['получить outlook '],
	['获取 outlook '],
	['下载 outlook '],
	['outlook for ', 'を入手'],
];

/** What such a line also names; without one of these it may be somebody's sentence. */
const PRODUCTS: readonly string[] = [
	...[
		'iphone',
		'ipad',
		'ios',
		'macbook',
		'android',
		'galaxy',
		'samsung',
		'huawei',
		'xiaomi',
		'redmi',
	],
	...[
		'pixel',
		'blackberry',
		'nokia',
		'windows',
		'outlook',
		'gmail',
		'yahoo',
		'proton',
		'k-9',
		'fairemail',
	],
	...[
		'spark',
		'thunderbird',
		'gmx',
		'web.de',
		'aol',
		'zoho',
		'fastmail',
		'mobile',
		'smartphone',
		'handy',
	],
	...['mobil', 'телефон', 'смартфон', 'почты', '手机', '手機'],
];

// Longer than any of them, with the address that Outlook puts behind.
const LONGEST_APP_LINE = 200;
const LONGEST_APP_WORDS = 120;

/** The address of the app's shop. */
const LINK = /[<([]\s*https?:\/\/[^\s<>()[\]]*\s*[>)\]]/g;

const DELIMITER = '-- ';

/** Contact data, a disclaimer. Whoever writes more than that below two dashes means it. */
const MOST_LINES_OF_SIGNATURE = 20;
/** Two dashes without the blank behind (RFC 3676, 4.3) may also separate what somebody writes. */
const MOST_LINES_BELOW_DASHES = 6;

/** Whether a line, as it was written, separates a signature (RFC 3676, 4.3). */
export function isSignatureDelimiter(written: string): boolean {
	return written === DELIMITER;
}

/**
 * Where the signature begins with which these lines end: below two dashes, marked as such by the mail program, or the
 * line by which an app advertises itself.
 *
 * @param end the line after the last one
 * @returns `end` when there is none
 */
export function startOfSignature(lines: readonly Line[], end: number): number {
	const last = skipBlanksAbove(lines, end);
	if (last === 0 || lines[last - 1]?.quoting !== 'none') return end;
	const start = startOfMarked(lines, last) ?? startBelowDashes(lines, last);
	if (start !== undefined) return start;
	return isAppLine((lines[last - 1] as Line).text) ? last - 1 : end;
}

function startOfMarked(lines: readonly Line[], end: number): number | undefined {
	let start = end;
	let written = 0;
	while (
		start > 0 &&
		written <= MOST_LINES_OF_SIGNATURE &&
		(lines[start - 1]?.mark === 'signature' || isBlank(lines[start - 1] as Line))
	) {
		start--;
		if (!isBlank(lines[start] as Line)) written++;
	}
	if (written === 0 || written > MOST_LINES_OF_SIGNATURE) return undefined;
	while (isBlank(lines[start] as Line)) start++;
	const above = skipBlanksAbove(lines, start);
	return above > 0 && isDashes(lines[above - 1] as Line) ? above - 1 : start;
}

function startBelowDashes(lines: readonly Line[], end: number): number | undefined {
	let written = 0;
	for (let start = end - 1; start >= 0; start--) {
		const line = lines[start] as Line;
		if (line.quoting !== 'none' || written > MOST_LINES_OF_SIGNATURE) return undefined;
		const mayBeBelow = line.mark === 'signature' || written <= MOST_LINES_BELOW_DASHES;
		if (isDashes(line) && mayBeBelow) return start;
		if (line.text !== '') written++;
	}
	return undefined;
}

function isDashes({ text, quoting }: Line): boolean {
	return text === '--' && quoting === 'none';
}

function isAppLine(text: string): boolean {
	if (text.length > LONGEST_APP_LINE) return false;
	const words = text.replace(LINK, '').trim().toLowerCase();
	if (words.length > LONGEST_APP_WORDS) return false;
	if (!PRODUCTS.some((product) => words.includes(product))) return false;
	return SENT_FROM.some(
		([beginning, ending = '']) =>
			words.startsWith(beginning) && withoutStop(words).endsWith(ending),
	);
}

function withoutStop(words: string): string {
	return words.endsWith('.') || words.endsWith('。') ? words.slice(0, -1) : words;
}
