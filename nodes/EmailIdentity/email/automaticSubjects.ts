import { plainLetters } from '../lib/text';

/**
 * How the subjects of automatic mail begin, in the languages of Outlook and Exchange, Gmail, Domino, Zimbra and what people
 * choose for their out-of-office notices. Accents and case do not matter. People and shops write such subjects, too: by
 * itself none of them says anything, and what is an ordinary word counts with a colon only.
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
		beginnings.some((beginning) => plainSubject.startsWith(beginning));
};

/** Each tells how a subject begins that was written in plain letters (`plainLetters`). */
export const isLikeReply = startsWithAnyOf(REPLY);
export const isLikeBounce = startsWithAnyOf(BOUNCE);
export const isLikeForwarded = startsWithAnyOf(FORWARDED);
