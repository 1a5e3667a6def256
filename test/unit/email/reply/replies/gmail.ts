import type { Reply } from './types';

/** Gmail on the web writes both parts: the text with marks, the HTML with a division around attribution and quotation. */
const webHtml = (answer: string, attribution: string, quoted: string, after = '') =>
	`<div dir="ltr">${answer}</div>${after}<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${attribution}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${quoted}</blockquote></div>\n`;

const link = (name: string, address: string) =>
	`${name} &lt;<a href="mailto:${address}" target="_blank">${address}</a>&gt;`;

export const GMAIL: Reply[] = [
	{
		mailer: 'Gmail web',
		language: 'en',
		subject: 'Re: Pump for hall 3',
		text: `Hi Ada,

Tuesday at nine works for us. The gate code is 4411.

Best,
Grace

On Sat, Nov 21, 2026 at 10:02 AM Ada Lovelace <ada@example.com> wrote:

> Hello Grace,
>
> could we deliver the pump on Tuesday?
>
> Ada
>
`,
		html: webHtml(
			'<div>Hi Ada,</div><div><br></div><div>Tuesday at nine works for us. The gate code is 4411.</div><div><br></div><div>Best,</div><div>Grace</div>',
			`On Sat, Nov 21, 2026 at 10:02 AM ${link('Ada Lovelace', 'ada@example.com')} wrote:`,
			'<div dir="ltr"><div>Hello Grace,</div><div><br></div><div>could we deliver the pump on Tuesday?</div></div>',
		),
		newText: `Hi Ada,

Tuesday at nine works for us. The gate code is 4411.

Best,
Grace`,
	},
	{
		mailer: 'Gmail web, the words above broken in two lines',
		language: 'en',
		subject: 'Re: Contract',
		text: `Signed and attached.

On Mon, Nov 23, 2026 at 4:15 PM Konrad Zuse (Zuse Apparatebau) <
konrad.zuse@apparatebau.example.com> wrote:

> Please find the contract attached.
>
>> On Fri, Nov 20, 2026 at 9:00 AM Grace <grace@example.com> wrote:
>>
>> Do you have it ready?
`,
		newText: 'Signed and attached.',
	},
	{
		mailer: 'Gmail web',
		language: 'de',
		subject: 'Re: Angebot 1042',
		text: `Vielen Dank, wir nehmen das Angebot an.

Viele Grüße
Konrad

Am Sa., 21. Nov. 2026 um 10:02 Uhr schrieb Ada Lovelace <ada@example.com>:

> Guten Tag Herr Zuse,
>
> anbei unser Angebot.
`,
		html: webHtml(
			'Vielen Dank, wir nehmen das Angebot an.<div><br></div><div>Viele Grüße</div><div>Konrad</div>',
			`Am Sa., 21. Nov. 2026 um 10:02&nbsp;Uhr schrieb ${link('Ada Lovelace', 'ada@example.com')}:`,
			'<div dir="ltr">Guten Tag Herr Zuse,<div><br></div><div>anbei unser Angebot.</div></div>',
		),
		newText: `Vielen Dank, wir nehmen das Angebot an.

Viele Grüße
Konrad`,
	},
	{
		mailer: 'Gmail web',
		language: 'fr',
		subject: 'Re: Livraison de mardi',
		text: `Bonjour,

C'est parfait pour mardi.

Le sam. 21 nov. 2026 à 10:02, Ada Lovelace <ada@example.com> a écrit :

> Bonjour, pouvons-nous livrer mardi ?
`,
		html: webHtml(
			'Bonjour,<div><br></div><div>C&#39;est parfait pour mardi.</div>',
			`Le&nbsp;sam. 21 nov. 2026 à&nbsp;10:02, ${link('Ada Lovelace', 'ada@example.com')} a écrit&nbsp;:`,
			'Bonjour, pouvons-nous livrer mardi ?',
		),
		newText: `Bonjour,

C'est parfait pour mardi.`,
	},
	{
		mailer: 'Gmail web',
		language: 'es',
		subject: 'Re: Pedido 77',
		text: `Confirmado, gracias.

El sáb, 21 nov 2026 a las 10:02, Ada Lovelace (<ada@example.com>) escribió:

> ¿Nos confirmas el pedido?
`,
		newText: 'Confirmado, gracias.',
	},
	{
		mailer: 'Gmail web',
		language: 'it',
		subject: 'Re: Preventivo',
		text: `Va bene, procediamo.

Il giorno sab 21 nov 2026 alle ore 10:02 Ada Lovelace <ada@example.com> ha
scritto:

> Ecco il preventivo.
`,
		newText: 'Va bene, procediamo.',
	},
	{
		mailer: 'Gmail web',
		language: 'pt',
		subject: 'Re: Fatura de novembro',
		text: `O pagamento foi feito hoje.

Em sáb., 21 de nov. de 2026 às 10:02, Ada Lovelace <ada@example.com>
escreveu:

> A fatura está em anexo.
`,
		newText: 'O pagamento foi feito hoje.',
	},
	{
		mailer: 'Gmail web',
		language: 'nl',
		subject: 'Re: Afspraak',
		text: `Donderdag past mij beter.

Op za 21 nov 2026 om 10:02 schreef Ada Lovelace <ada@example.com>:

> Kunnen we woensdag afspreken?
`,
		newText: 'Donderdag past mij beter.',
	},
	{
		mailer: 'Gmail web',
		language: 'pl',
		subject: 'Re: Zamówienie',
		text: `Dziękuję, wszystko się zgadza.

sob., 21 lis 2026 o 10:02 Ada Lovelace <ada@example.com> napisał(a):

> Proszę o potwierdzenie.
`,
		newText: 'Dziękuję, wszystko się zgadza.',
	},
	{
		mailer: 'Gmail web',
		language: 'ja',
		subject: 'Re: 見積書',
		text: `ありがとうございます。承知しました。

2026年11月21日(土) 10:02 Ada Lovelace <ada@example.com>:

> 見積書をお送りします。
`,
		html: webHtml(
			'ありがとうございます。承知しました。',
			`2026年11月21日(土) 10:02 ${link('Ada Lovelace', 'ada@example.com')}:`,
			'見積書をお送りします。',
		),
		newText: 'ありがとうございます。承知しました。',
	},
	{
		mailer: 'Gmail web',
		language: 'zh',
		subject: 'Re: 报价',
		text: `好的,没有问题。

Ada Lovelace <ada@example.com> 于2026年11月21日周六 10:02写道:

> 请查看附件中的报价。
`,
		newText: '好的,没有问题。',
	},
	{
		mailer: 'Gmail web',
		language: 'ko',
		subject: 'Re: 견적서',
		text: `확인했습니다. 감사합니다.

2026년 11월 21일 (토) 오전 10:02, Ada Lovelace <ada@example.com>님이 작성:

> 견적서를 보내드립니다.
`,
		newText: '확인했습니다. 감사합니다.',
	},
	{
		mailer: 'Gmail web',
		language: 'ru',
		subject: 'Re: Счёт',
		text: `Оплатили сегодня.

сб, 21 нояб. 2026 г. в 10:02, Ada Lovelace <ada@example.com>:

> Отправляю счёт.
`,
		newText: 'Оплатили сегодня.',
	},
	{
		mailer: 'Gmail web',
		language: 'he',
		subject: 'Re: הצעת מחיר',
		text: `תודה, מאושר.

\u202bבתאריך שבת, 21 בנוב׳ 2026 ב-10:02 מאת \u202aAda Lovelace\u202c\u200f <\u202aada@example.com\u202c\u200f>:\u202c

> מצורפת הצעת המחיר.
`,
		newText: 'תודה, מאושר.',
	},
	{
		mailer: 'Gmail web, with a signature',
		language: 'en',
		subject: 'Re: Invoice 2026-118',
		text: `Paid this morning.

-- 
Grace Hopper
Accounts Payable
+1 555 0100

On Sat, Nov 21, 2026 at 10:02 AM Ada Lovelace <ada@example.com> wrote:

> The invoice is due.
`,
		html: webHtml(
			'<div>Paid this morning.</div><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr"><b>Grace Hopper</b><div>Accounts Payable</div><div>+1 555 0100</div></div></div>',
			`On Sat, Nov 21, 2026 at 10:02 AM ${link('Ada Lovelace', 'ada@example.com')} wrote:`,
			'The invoice is due.',
		),
		newText: 'Paid this morning.',
	},
	{
		mailer: 'Gmail web, answers between the questions',
		language: 'en',
		subject: 'Re: Two questions',
		text: `Hi Ada,

On Sat, Nov 21, 2026 at 10:02 AM Ada Lovelace <ada@example.com> wrote:

> Which colour?
>

Blue.

> How many?
>

Twelve.

> Regards,
> Ada
`,
		html: `<div dir="ltr"><div>Hi Ada,</div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026 at 10:02 AM Ada Lovelace &lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt; wrote:</div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">Which colour?</blockquote><div>Blue.</div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">How many?</blockquote><div>Twelve.</div><blockquote class="gmail_quote">Regards,<br>Ada</blockquote></div>`,
		newText: `Hi Ada,

On Sat, Nov 21, 2026 at 10:02 AM Ada Lovelace <ada@example.com> wrote:

> Which colour?
>

Blue.

> How many?
>

Twelve.`,
	},
	{
		mailer: 'Gmail on Android',
		language: 'en',
		subject: 'Re: Gate',
		html: `<div dir="auto">It is open now.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026, 10:02 AM Ada Lovelace &lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex"><div dir="auto">The gate is closed.</div></blockquote></div>`,
		text: `It is open now.

On Sat, Nov 21, 2026, 10:02 AM Ada Lovelace <ada@example.com> wrote:

> The gate is closed.
>
`,
		newText: 'It is open now.',
	},
	{
		mailer: 'Gmail web, an indented paragraph of the answer',
		language: 'en',
		subject: 'Re: The wording',
		html: webHtml(
			'<div>I would write:</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>All goods remain ours until paid.</div></blockquote>',
			`On Sat, Nov 21, 2026 at 10:02 AM ${link('Ada Lovelace', 'ada@example.com')} wrote:`,
			'What would you write?',
		),
		newText: `I would write:

> All goods remain ours until paid.`,
	},
	{
		mailer: 'Gmail web',
		language: 'uk',
		subject: 'Re: Рахунок',
		text: `Сплачено сьогодні.

сб, 21 лист. 2026 р. о 10:02 Ada Lovelace <ada@example.com> пише:

> Надсилаю рахунок.
`,
		newText: 'Сплачено сьогодні.',
	},
	{
		mailer: 'Gmail web',
		language: 'el',
		subject: 'Re: Προσφορά',
		text: `Συμφωνούμε.

Στις Σάβ 21 Νοε 2026 στις 10:02 π.μ., ο χρήστης Ada Lovelace <ada@example.com> έγραψε:

> Στέλνω την προσφορά.
`,
		newText: 'Συμφωνούμε.',
	},
	{
		mailer: 'Gmail web',
		language: 'ar',
		subject: 'Re: عرض السعر',
		text: `موافقون، شكرا.

في السبت، ٢١ نوفمبر ٢٠٢٦ في ١٠:٠٢ ص تمت كتابة ما يلي بواسطة Ada Lovelace <\u202aada@example.com\u202c\u200f>:

> أرسل لكم العرض.
`,
		newText: 'موافقون، شكرا.',
	},
	{
		mailer: 'Gmail web',
		language: 'nb',
		subject: 'SV: Tilbud',
		text: `Det er greit.

lør. 21. nov. 2026 kl. 10:02 skrev Ada Lovelace <ada@example.com>:

> Her er tilbudet.
`,
		newText: 'Det er greit.',
	},
	{
		mailer: 'Gmail web',
		language: 'ro',
		subject: 'Re: Ofertă',
		text: `Suntem de acord.

În sâm., 21 nov. 2026 la 10:02, Ada Lovelace <ada@example.com> a
scris:

> Vă trimit oferta.
`,
		newText: 'Suntem de acord.',
	},
	{
		mailer: 'Gmail web',
		language: 'vi',
		subject: 'Re: Báo giá',
		text: `Chúng tôi đồng ý.

Vào Th 7, 21 thg 11, 2026 vào lúc 10:02 Ada Lovelace <ada@example.com>
đã viết:

> Gửi bạn báo giá.
`,
		newText: 'Chúng tôi đồng ý.',
	},
	{
		mailer: 'Gmail web',
		language: 'hi',
		subject: 'Re: कोटेशन',
		text: `हम सहमत हैं।

शनि, 21 नव॰ 2026 को 10:02 am बजे को Ada Lovelace <ada@example.com> ने लिखा:

> कोटेशन भेज रहे हैं।
`,
		newText: 'हम सहमत हैं।',
	},
	{
		mailer: 'Gmail web',
		language: 'th',
		subject: 'Re: ใบเสนอราคา',
		text: `ตกลงครับ

ในวันที่ ส. 21 พ.ย. 2026 เวลา 10:02 Ada Lovelace <ada@example.com> เขียนว่า:

> ส่งใบเสนอราคา
`,
		newText: 'ตกลงครับ',
	},
];
