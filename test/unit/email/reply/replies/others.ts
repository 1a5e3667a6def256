import type { Reply } from './types';

export const OTHERS: Reply[] = [
	{
		mailer: 'Yahoo Mail',
		language: 'en',
		subject: 'Re: Keys',
		text: ` They are on the table.

    On Saturday, November 21, 2026 at 10:02:00 AM GMT+1, Ada Lovelace <ada@example.com> wrote:  
 
 Where are the keys?  `,
		html: '<html><head></head><body><div class="ydp1yahoo-style-wrap" style="font-family:Helvetica Neue;font-size:16px;"><div dir="ltr" data-setdir="false">They are on the table.</div><div><br></div></div><div id="yahoo_quoted_0815" class="yahoo_quoted"><div style="font-family:Helvetica;font-size:13px;color:#26282a;"><div>On Saturday, November 21, 2026 at 10:02:00 AM GMT+1, Ada Lovelace &lt;ada@example.com&gt; wrote:</div><div><br></div><div><br></div><div><div id="yiv1"><div>Where are the keys?</div></div></div></div></div></body></html>',
		newText: 'They are on the table.',
	},
	{
		mailer: 'Yahoo Mail',
		language: 'fr',
		subject: 'Re: Clés',
		text: ` Sur la table.

    Le samedi 21 novembre 2026 à 10:02:00 UTC+1, Ada Lovelace <ada@example.com> a écrit :  
 
 Où sont les clés ?  `,
		newText: 'Sur la table.',
	},
	{
		mailer: 'Yahoo Mail on Android',
		language: 'en',
		subject: 'Re: Keys',
		text: `On the table.

Sent from Yahoo Mail on Android 
 
  On Sat, Nov 21, 2026 at 10:02 AM, Ada Lovelace<ada@example.com> wrote:   Where are the keys?`,
		newText: 'On the table.',
	},
	{
		mailer: 'Proton Mail',
		language: 'en',
		subject: 'Re: Certificate',
		text: `Renewed until 2028.

Sent with [Proton Mail](https://proton.me/mail/home) secure email.

On Saturday, November 21st, 2026 at 10:02 AM, Ada Lovelace <ada@example.com> wrote:

> The certificate expires.
`,
		html: '<div style="font-family: Arial, sans-serif; font-size: 14px;">Renewed until 2028.</div><div style="font-family: Arial;"><br></div><div class="protonmail_signature_block" style="font-family: Arial;"><div class="protonmail_signature_block-proton">Sent with <a href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div><div><br></div><div class="protonmail_quote">\n        On Saturday, November 21st, 2026 at 10:02 AM, Ada Lovelace &lt;ada@example.com&gt; wrote:<br>\n        <blockquote class="protonmail_quote" type="cite">\n            The certificate expires.\n        </blockquote><br>\n    </div>',
		newText: 'Renewed until 2028.',
	},
	{
		mailer: 'Proton Mail, older',
		language: 'en',
		subject: 'Re: Certificate',
		text: `Renewed.

------- Original Message -------
On Saturday, November 21st, 2026 at 10:02 AM, Ada Lovelace <ada@example.com> wrote:


> The certificate expires.
`,
		newText: 'Renewed.',
	},
	{
		mailer: 'Zoho Mail',
		language: 'en',
		subject: 'Re: Timesheet',
		text: `Sent it to payroll.



---- On Sat, 21 Nov 2026 10:02:00 +0100 Ada Lovelace <ada@example.com> wrote ----


Please send your timesheet.
`,
		html: '<div style="font-family: Verdana; font-size: 10pt;"><div>Sent it to payroll.<br></div><div><br></div><div class="zmail_extra_hr" style="border-top: 1px solid rgb(204, 204, 204); height: 0px;"><br></div><div class="zmail_extra" data-zbluepencil-ignore="true"><div><br></div><div id="Zm-_Id_-Sgn1">---- On Sat, 21 Nov 2026 10:02:00 +0100 <b>Ada Lovelace &lt;ada@example.com&gt;</b> wrote ----<br></div><div><br></div><blockquote id="blockquote_zmail" style="margin: 0px;"><div>Please send your timesheet.</div></blockquote></div></div>',
		newText: 'Sent it to payroll.',
	},
	{
		mailer: 'K-9 Mail',
		language: 'en',
		subject: 'Re: Parcel',
		text: `It arrived.

On November 21, 2026 10:02:00 AM GMT+01:00, Ada Lovelace <ada@example.com> wrote:
>Did the parcel arrive?

-- 
Sent from my Android device with K-9 Mail. Please excuse my brevity.`,
		html: '<html><head></head><body><div dir="auto">It arrived.</div><br><br><div class="gmail_quote"><div dir="auto">On November 21, 2026 10:02:00 AM GMT+01:00, Ada Lovelace &lt;ada@example.com&gt; wrote:</div><blockquote class="gmail_quote" style="margin: 0pt 0pt 0pt 0.8ex; border-left: 1px solid rgb(204, 204, 204); padding-left: 1ex;"><div>Did the parcel arrive?</div></blockquote></div><div class="k9mail-signature">-- <br>Sent from my Android device with K-9 Mail. Please excuse my brevity.</div></body></html>',
		newText: 'It arrived.',
	},
	{
		mailer: 'K-9 Mail',
		language: 'de',
		subject: 'Re: Paket',
		text: `Ist angekommen.

Am 21. November 2026 10:02:00 MEZ schrieb Ada Lovelace <ada@example.com>:
>Ist das Paket da?
`,
		newText: 'Ist angekommen.',
	},
	{
		mailer: 'FairEmail',
		language: 'en',
		subject: 'Re: Parcel',
		html: '<div dir="auto" style="font-family:sans-serif"><p>It arrived.</p></div><div class="fairemail_quote"><p>21 Nov 2026 10:02:00 Ada Lovelace &lt;ada@example.com&gt;:</p><blockquote type="cite" style="border-left:3px solid #ccc; padding-left: 3px;">Did the parcel arrive?</blockquote></div>',
		newText: 'It arrived.',
	},
	{
		mailer: 'Roundcube',
		language: 'en',
		subject: 'Re: Quote',
		text: `Accepted.

On 2026-11-21 10:02, Ada Lovelace wrote:
> Here is our quote.
`,
		html: '<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /></head><body style=\'font-size: 10pt; font-family: Verdana\'>\n<p>Accepted.</p>\n<p id="reply-intro">On 2026-11-21 10:02, Ada Lovelace wrote:</p>\n<blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0"><p>Here is our quote.</p></blockquote>\n</body></html>',
		newText: 'Accepted.',
	},
	{
		mailer: 'Roundcube',
		language: 'tr',
		subject: 'Re: Teklif',
		text: `Kabul.

2026-11-21 10:02 tarihinde Ada Lovelace yazdı:
> Teklif ektedir.
`,
		newText: 'Kabul.',
	},
	{
		mailer: 'Lotus Notes',
		language: 'de',
		subject: 'Antwort: Wartung',
		text: `Hallo Ada,

die Wartung ist am Montag.

Gruß, Konrad



Von:	Ada Lovelace/ACME
An:	Konrad Zuse/ACME@ACME, 
Datum:	21.11.2026 10:02
Betreff:	Wartung



Wann ist die Wartung?
`,
		newText: `Hallo Ada,

die Wartung ist am Montag.

Gruß, Konrad`,
	},
	{
		mailer: 'Lotus Notes, with its preview',
		language: 'en',
		subject: 'Re: Maintenance',
		text: `On Monday.

Ada Lovelace ---11/21/2026 10:02:00 AM---When is the maintenance?

From:	Ada Lovelace/ACME
To:	Grace Hopper/ACME@ACME
Date:	11/21/2026 10:02 AM
Subject:	Maintenance



When is the maintenance?
`,
		newText: 'On Monday.',
	},
	{
		mailer: 'Samsung Email',
		language: 'en',
		subject: 'Re: Dinner',
		text: `At seven.


Sent from my Galaxy


-------- Original message --------
From: Ada Lovelace <ada@example.com> 
Date: 21/11/2026  10:02  (GMT+01:00) 
To: Grace Hopper <grace@example.com> 
Subject: Dinner 

When?
`,
		html: '<html><head></head><body dir="auto"><div dir="auto">At seven.</div><div dir="auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" dir="auto">Sent from my Galaxy</div></div><div dir="auto"><br></div><div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- Original message --------</div><div>From: Ada Lovelace &lt;ada@example.com&gt; </div><div>Date: 21/11/2026  10:02  (GMT+01:00) </div><div>To: Grace Hopper &lt;grace@example.com&gt; </div><div>Subject: Dinner </div><div><br></div></div><div>When?</div></body></html>',
		newText: 'At seven.',
	},
	{
		mailer: 'Samsung Email',
		language: 'de',
		subject: 'AW: Essen',
		text: `Um sieben.


Von meinem Galaxy gesendet


-------- Ursprüngliche Nachricht --------
Von: Ada Lovelace <ada@example.com> 
Datum: 21.11.26  10:02  (GMT+01:00) 
An: Konrad Zuse <konrad@example.com> 
Betreff: Essen 

Wann?
`,
		newText: 'Um sieben.',
	},
	{
		mailer: 'Spark',
		language: 'en',
		subject: 'Re: Slides',
		text: `Uploaded.

Grace
On 21 Nov 2026 at 10:02 +0100, Ada Lovelace <ada@example.com>, wrote:
> Where are the slides?
`,
		html: '<html><body><div name="messageBodySection"><div dir="auto">Uploaded.<br><br>Grace</div></div><div name="messageReplySection">On 21 Nov 2026 at 10:02 +0100, Ada Lovelace &lt;ada@example.com&gt;, wrote:<br><blockquote type="cite" style="border-left-color: grey; border-left-width: thin; border-left-style: solid; margin: 5px 5px;padding-left: 10px;" class="spark_quote">Where are the slides?</blockquote></div></body></html>',
		newText: `Uploaded.

Grace`,
	},
	{
		mailer: 'Yandex Mail',
		language: 'ru',
		subject: 'Re: Договор',
		html: '<div>Подписали.</div><div> </div><div>21.11.2026, 10:02, "Ada Lovelace" &lt;ada@example.com&gt;:</div><blockquote><div>Отправляю договор.</div></blockquote>',
		newText: 'Подписали.',
	},
	{
		mailer: 'GMX',
		language: 'de',
		subject: 'Aw: Rechnung',
		html: '<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>Ist &uuml;berwiesen.</div><div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Samstag, 21. November 2026 um 10:02 Uhr<br/><b>Von:</b>&nbsp;&quot;Ada Lovelace&quot; &lt;ada@example.com&gt;<br/><b>An:</b>&nbsp;konrad@example.com<br/><b>Betreff:</b>&nbsp;Rechnung</div><div name="quoted-content">Wann zahlen Sie?</div></div></div></div></body></html>',
		newText: 'Ist überwiesen.',
	},
	{
		mailer: 'QQ Mail',
		language: 'zh',
		subject: '回复:交货',
		text: `下周二。



------------------ 原始邮件 ------------------
发件人: "Ada Lovelace" <ada@example.com>;
发送时间: 2026年11月21日(星期六) 上午10:02
收件人: "王"<wang@example.com>;
主题: 交货

什么时候交货?`,
		newText: '下周二。',
	},
	{
		mailer: 'NetEase 163',
		language: 'zh',
		subject: 'Re:交货',
		text: `下周二。




At 2026-11-21 10:02:00, "Ada Lovelace" <ada@example.com> wrote:
>什么时候交货?`,
		newText: '下周二。',
	},
	{
		mailer: 'Zimbra',
		language: 'fr',
		subject: 'Re: Réunion',
		text: `Je serai là.

----- Mail original -----
De: "Ada Lovelace" <ada@example.com>
À: "Blaise Pascal" <blaise@example.com>
Envoyé: Samedi 21 Novembre 2026 10:02:00
Objet: Réunion

Serez-vous là ?`,
		newText: 'Je serai là.',
	},
	{
		mailer: 'Tutanota',
		language: 'en',
		subject: 'Re: Room',
		html: '<div>Room 4 is free.<br></div><div><br></div><div>21 Nov 2026, 10:02 by ada@example.com:<br></div><blockquote class="tutanota_quote" style="border-left: 1px solid #93A3B8; padding-left: 10px; margin-left: 5px;">Which room?</blockquote>',
		newText: 'Room 4 is free.',
	},
];
