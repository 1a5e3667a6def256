import type { Reply } from './types';

/** Apple Mail puts the words above the quotation into it. */
const html = (answer: string, attribution: string, quoted: string) =>
	`<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${answer}<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>${attribution}</div><br class="Apple-interchange-newline"><div>${quoted}</div></blockquote></div><br></body></html>`;

export const APPLE: Reply[] = [
	{
		mailer: 'Apple Mail on a Mac',
		language: 'en',
		subject: 'Re: Photos',
		text: `These are lovely, thank you.

Grace

> On 21 Nov 2026, at 10:02, Ada Lovelace <ada@example.com> wrote:
> 
> Here are the photos.
> <garden.jpg>
`,
		html: html(
			'These are lovely, thank you.<div><br></div><div>Grace</div>',
			'On 21 Nov 2026, at 10:02, Ada Lovelace &lt;ada@example.com&gt; wrote:',
			'Here are the photos.<br><img src="cid:garden" alt="garden.jpg">',
		),
		newText: `These are lovely, thank you.

Grace`,
	},
	{
		mailer: 'Apple Mail on an iPhone',
		language: 'en',
		subject: 'Re: Running late',
		text: `No problem.

Sent from my iPhone

> On Nov 21, 2026, at 10:02 AM, Ada Lovelace <ada@example.com> wrote:
> 
> ﻿I am running late.
`,
		html: '<html><head></head><body dir="auto"><div dir="ltr">No problem.<div><br><div dir="ltr">Sent from my iPhone</div></div></div><div dir="ltr"><br><blockquote type="cite">On Nov 21, 2026, at 10:02 AM, Ada Lovelace &lt;ada@example.com&gt; wrote:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">﻿I am running late.</div></blockquote></body></html>',
		newText: 'No problem.',
	},
	{
		mailer: 'Apple Mail on an iPhone',
		language: 'de',
		subject: 'Aw: Treffen',
		text: `Ja, gerne.

Von meinem iPhone gesendet

> Am 21.11.2026 um 10:02 schrieb Ada Lovelace <ada@example.com>:
> 
> Passt Freitag?
`,
		newText: 'Ja, gerne.',
	},
	{
		mailer: 'Apple Mail on an iPhone',
		language: 'fr',
		subject: 'Re: Demain',
		text: `D'accord.

Envoyé de mon iPhone

> Le 21 nov. 2026 à 10:02, Ada Lovelace <ada@example.com> a écrit :
> 
> Demain à huit heures ?
`,
		newText: "D'accord.",
	},
	{
		mailer: 'Apple Mail on an iPhone',
		language: 'es',
		subject: 'Re: Mañana',
		text: `De acuerdo.

Enviado desde mi iPhone

> El 21 nov 2026, a las 10:02, Ada Lovelace <ada@example.com> escribió:
> 
> ¿Mañana a las ocho?
`,
		newText: 'De acuerdo.',
	},
	{
		mailer: 'Apple Mail on an iPad',
		language: 'it',
		subject: 'Re: Domani',
		text: `Va bene.

Inviato da iPad

> Il giorno 21 nov 2026, alle ore 10:02, Ada Lovelace <ada@example.com> ha scritto:
> 
> Domani alle otto?
`,
		newText: 'Va bene.',
	},
	{
		mailer: 'Apple Mail on an iPhone',
		language: 'nl',
		subject: 'Re: Morgen',
		text: `Prima.

Verstuurd vanaf mijn iPhone

> Op 21 nov. 2026 om 10:02 heeft Ada Lovelace <ada@example.com> het volgende geschreven:
> 
> Morgen om acht uur?
`,
		newText: 'Prima.',
	},
	{
		mailer: 'Apple Mail on an iPhone',
		language: 'ja',
		subject: 'Re: 明日',
		text: `わかりました。

iPhoneから送信

> 2026/11/21 10:02、Ada Lovelace <ada@example.com>のメール:
> 
> 明日の八時でいいですか。
`,
		newText: 'わかりました。',
	},
	{
		mailer: 'Apple Mail on an iPhone',
		language: 'zh',
		subject: '回复:明天',
		text: `好的。

发自我的iPhone

> 在 2026年11月21日,10:02,Ada Lovelace <ada@example.com> 写道:
> 
> 明天八点可以吗?
`,
		newText: '好的。',
	},
	{
		mailer: 'Apple Mail on an iPhone',
		language: 'sv',
		subject: 'Re: I morgon',
		text: `Ja, det går bra.

Skickat från min iPhone

> 21 nov. 2026 kl. 10:02 skrev Ada Lovelace <ada@example.com>:
> 
> I morgon klockan åtta?
`,
		newText: 'Ja, det går bra.',
	},
	{
		mailer: 'Apple Mail on an iPhone, the answer below',
		language: 'en',
		subject: 'Re: Menu',
		html: '<html><body dir="auto"><blockquote type="cite"><div dir="ltr">Fish or pasta?</div></blockquote><div><br></div><div dir="ltr">Pasta, please.</div></body></html>',
		newText: 'Pasta, please.',
	},
];
