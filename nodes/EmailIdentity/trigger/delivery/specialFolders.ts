import { plainLetters } from '../../../../lib/basics';

/** The folders of a mailbox that hold something else than received mail, and the one that holds everything (RFC 6154). */
export type SpecialFolder = 'all' | 'drafts' | 'sent' | 'spam' | 'trash';

/**
 * What providers and mail programs call these folders, in the languages of their users: Gmail, Outlook and Exchange,
 * iCloud, Yahoo, GMX and Web.de, Dovecot and cPanel, Roundcube, Thunderbird, Zimbra. Accents and case do not matter.
 */
const FOLDER_NAMES: Record<SpecialFolder, string> = {
	all: `All Mail | Alle Nachrichten | Tous les messages | Todos | Todo el correo | Todos os e-mails | Todo o correio |
		Tutti i messaggi | Alle berichten | Alle e-mails | All e-post | Alle mails | Kaikki viestit | Wszystkie |
		Všechny zprávy | Všetky správy | Összes levél | Toate mesajele | Цяла поща | Вся почта | Уся пошта |
		Όλα τα μηνύματα | Tüm Postalar | כל הדואר | جميع الرسائل | كل البريد | すべてのメール | 전체보관함 | 所有邮件 | 所有郵件 |
		全部郵件 | จดหมายทั้งหมด | Tất cả thư | Semua Email | Tots els missatges | Sva pošta | Svi e-mailovi`,
	drafts: `Draft | Drafts | My Drafts | Draft Messages | Entwurf | Entwürfe | Brouillon | Brouillons | Borrador |
		Borradores | Rascunho | Rascunhos | Bozza | Bozze | Concept | Concepten | Kladde | Kladder | Kladd | Utkast |
		Luonnos | Luonnokset | Kopie robocze | Wersje robocze | Koncept | Koncepty | Rozepsané | Rozpísané |
		Piszkozat | Piszkozatok | Vázlatok | Ciorne | Mesaje nefinalizate | Чернови | Черновик | Черновики | Чернетки |
		Чарнавікі | Πρόχειρα | Taslak | Taslaklar | טיוטה | טיוטות | مسودة | المسودات | مسودات | 下書き | 草稿 | 草稿匣 |
		草稿箱 | 草稿夹 | 임시 보관함 | 임시보관함 | แบบร่าง | ฉบับร่าง | Thư nháp | Bản nháp | Bản thảo | Draf | Konsep |
		Esborranys | Zirriborroak | Nacrti | Skice | Predlošci | Osnutki | Нацрти | Mustandid | Melnraksti | Uzmetumi |
		Juodraščiai | Drög | ड्राफ़्ट | Qaralamalar`,
	sent: `Sent | Sent Mail | Sent Mails | Sent Items | Sent Messages | Sent Email | Sent Emails | Sent Objects | Outbox |
		My Outbox | Gesendet | Gesendete | Gesendete Objekte | Gesendete Elemente | Gesendete Nachrichten |
		Gesendete E-Mails | Postausgang | Envoyé | Envoyés | Éléments envoyés | Messages envoyés | Courrier envoyé |
		Mails envoyés | Objets envoyés | Boîte d'envoi | Enviado | Enviados | Elementos enviados | Mensajes enviados |
		Correo enviado | Bandeja de salida | Enviadas | Itens enviados | E-mails enviados | E-mail enviado |
		Mensagens enviadas | Correio enviado | Caixa de saída | Inviata | Inviati | Posta inviata | Elementi inviati |
		Messaggi inviati | Posta in uscita | Verzonden | Verzonden items | Verzonden berichten | Verzonden e-mail |
		Postvak UIT | Sendt | Sendt post | Sendt e-post | Sendte elementer | Sendte beskeder | Udbakke | Utboks | Skickat |
		Skickade objekt | Skickat mail | Skickade meddelanden | Utkorg | Lähetetyt | Lähetetyt viestit | Wysłane |
		Elementy wysłane | Wiadomości wysłane | Skrzynka nadawcza | Odeslané | Odeslaná pošta | Odeslané položky |
		Odoslané | Odoslaná pošta | Odoslané položky | Elküldött | Elküldöttek | Elküldött elemek | Elküldött üzenetek |
		Trimise | Elemente trimise | Mesaje trimise | Изпратени | Изпратена поща | Отправленные | Отправленные письма |
		Исходящие | Надіслані | Відправлені | Адпраўленыя | Απεσταλμένα | Σταλμένα | Gönderilmiş | Gönderilmiş Postalar |
		Gönderilmiş Öğeler | Gönderilenler | Gönderilen | Giden Kutusu | נשלחו | פריטים שנשלחו | דואר שנשלח | נשלח | المرسل |
		المرسلة | العناصر المرسلة | البريد المرسل | الرسائل المرسلة | 送信済み | 送信済みメール | 送信済みアイテム | 送信トレイ | 送信箱 |
		보낸 편지함 | 보낸편지함 | 보낸 메일함 | 보낸메일함 | 已发送 | 已发送邮件 | 已发邮件 | 已传送 | 發件箱 | 发件箱 | 寄件備份 |
		寄件匣 | 已傳送的郵件 | 傳送的郵件 | ส่งแล้ว | จดหมายที่ส่งแล้ว | รายการที่ส่ง | Đã gửi | Thư đã gửi | Mục đã gửi |
		Terkirim | Surat Terkirim | Item Terkirim | Enviats | Elements enviats | Bidalita | Bidaliak | Poslano | Poslane stavke |
		Poslata pošta | Poslato | Послате | Saadetud | Saadetud kirjad | Nosūtītie | Nosūtītās | Išsiųsti | Išsiųsti laiškai |
		भेजे गए | Göndərilənlər`,
	spam: `Spam | Junk | Junk Mail | Junk E-mail | Junk Email | Junk-E-Mail | Bulk | Bulk Mail | Spamverdacht | Unerwünscht |
		Unerwünschte Werbung | Courrier indésirable | Indésirables | Courriers indésirables | Pourriel | Pourriels |
		Correo no deseado | No deseado | Correo basura | Lixo Eletrônico | Lixo | E-mail de lixo |
		Posta indesiderata | Indesiderata | Ongewenste e-mail | Ongewenst | Ongewenste reclame | Uønsket | Uønsket e-mail |
		Uønsket mail | Uønsket e-post | Søppelpost | Søppel-e-post | Skräppost | Skräp | Roskaposti | Wiadomości-śmieci |
		Niechciane | Nevyžádaná pošta | Nevyžádané | Nevyžiadaná pošta | Nevyžiadané | Levélszemét | Kéretlen |
		Kéretlen levelek | Nedorite | Mesaje nedorite | Нежелана поща | Спам | Нежелательная почта | Небажана пошта |
		Ανεπιθύμητα | Ανεπιθύμητη αλληλογραφία | Önemsiz | Önemsiz E-posta | Gereksiz |
		İstenmeyen | דואר זבל | ספאם | البريد غير الهام | بريد إلكتروني غير هام | غير المرغوب | البريد العشوائي |
		رسائل غير مرغوب فيها | 迷惑メール | スパム | 정크 메일 | 정크메일 | 스팸함 | 스팸메일함 | 스팸 편지함 | 스팸 | 垃圾邮件 | 垃圾郵件 |
		垃圾郵件匣 | 垃圾邮件箱 | จดหมายขยะ | อีเมลขยะ | สแปม | Thư rác | Email Sampah | Correu brossa | Neželjena pošta |
		Neželena pošta | Rämpspost | Mēstules | Brukalas | Nepageidaujamas | स्पैम | Ruslpóstur`,
	trash: `Trash | Bin | Rubbish | Deleted | Deleted Items | Deleted Messages | Deleted Mail | Papierkorb | Gelöscht |
		Gelöschte Objekte | Gelöschte Elemente | Gelöschte Nachrichten | Corbeille | Éléments supprimés |
		Messages supprimés | Poubelle | Papelera | Elementos eliminados | Mensajes eliminados | Elementos borrados |
		Eliminados | Lixeira | Itens excluídos | Itens eliminados | Mensagens excluídas | Reciclagem | Cestino |
		Posta eliminata | Elementi eliminati | Messaggi eliminati | Eliminata | Prullenbak | Prullenmand |
		Verwijderde items | Verwijderde berichten | Verwijderd | Papirkurv | Slettet post | Slettet | Slettede elementer |
		Slettede beskeder | Søppel | Søppelkasse | Papperskorg | Papperskorgen | Borttaget | Borttagna objekt | Roskakori |
		Poistetut | Kosz | Elementy usunięte | Usunięte | Koš | Odstraněná pošta | Odstraněné položky |
		Kuka | Törölt | Törölt elemek | Lomtár | Gunoi | Coș de gunoi | Coșul de gunoi | Elemente șterse |
		Кошче | Изтрити | Корзина | Удаленные | Кошик | Видалені | Сметніца | Κάδος | Κάδος απορριμμάτων |
		Διαγραμμένα | Çöp Kutusu | Çöp | Silinmiş Öğeler | Silinmiş | אשפה | פריטים שנמחקו | המחוקים | المهملات | سلة المهملات |
		العناصر المحذوفة | ゴミ箱 | ごみ箱 | 削除済みアイテム | 휴지통 | 지운 편지함 | 지운 메일함 | 已删除 | 已删除邮件 | 已刪除的郵件 | 刪除的郵件 |
		已刪除項目 | 垃圾桶 | 废件箱 | 回收站 | ถังขยะ | รายการที่ลบ | Thùng rác | Mục đã xóa | Sampah | Tempat Sampah |
		Item Dihapus | Paperera | Zakarrontzia | Smeće | Otpad | Смеће | Smeti | Prügikast | Atkritne | Papīrgrozs | Šiukšlinė |
		Šiukšliadėžė | ट्रैश | Ruslafata`,
};

const FOLDER_OF_NAME: ReadonlyMap<string, SpecialFolder> = new Map(
	Object.entries(FOLDER_NAMES).flatMap(([folder, names]) =>
		names.split('|').map((name) => [plainLetters(name), folder as SpecialFolder] as const),
	),
);

/** In these stand the special folders themselves: Dovecot's and Courier's `INBOX.`, Gmail's two, UW IMAP's `mail/`. */
const CONTAINERS: ReadonlySet<string> = new Set(
	['INBOX', '[Gmail]', '[Google Mail]', '[Imap]', 'Mail'].map(plainLetters),
);

const MAX_PATH = 1000;

/** Modified UTF-7 (RFC 3501, 5.1.3): what is not ASCII as base64 of UTF-16, with a comma for the slash. */
const SHIFTED = /&([A-Za-z0-9+,]*)-/g;

/**
 * The special folder itself, or one below it, but not a user's own `Projects/Sent`.
 *
 * @param path as an IMAP server names it, with `/` or `.` between the folders, decoded or in modified UTF-7
 */
export function specialFolder(path: string): SpecialFolder | undefined {
	const decoded = decodeModifiedUtf7(path.slice(0, MAX_PATH));
	const folders = decoded.split(decoded.includes('/') ? '/' : '.').map(plainLetters);
	const first = CONTAINERS.has(folders[0] ?? '') ? folders[1] : folders[0];
	return FOLDER_OF_NAME.get(first ?? '');
}

function decodeModifiedUtf7(path: string): string {
	return path.replace(SHIFTED, (_written, base64: string) => {
		if (base64 === '') return '&';
		const bytes = Buffer.from(base64.replaceAll(',', '/'), 'base64');
		const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
		return even.swap16().toString('utf16le');
	});
}
