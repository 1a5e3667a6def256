import type { Reply } from './types';

/** Outlook for desktops draws a line by a division's border, above the header of the email that is answered. */
const desktopHtml = (answer: string, header: string, history: string) =>
	`<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang="DE"><div class="WordSection1">${answer}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${header}<o:p></o:p></p></div></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>${history}</div></body></html>`;

const paragraph = (text: string) => `<p class="MsoNormal">${text}<o:p></o:p></p>`;

/** Outlook on the web names the division of the header. */
const webHtml = (answer: string, header: string, history: string) =>
	`<html><head><style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style></head><body dir="ltr">${answer}<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">${header}</font><div>&nbsp;</div></div>${history}</body></html>`;

const div = (text: string) =>
	`<div class="elementToProof" style="font-family: Aptos, sans-serif; font-size: 12pt;">${text}</div>`;

export const OUTLOOK: Reply[] = [
	{
		mailer: 'Outlook for Windows',
		language: 'en',
		subject: 'RE: Pump for hall 3',
		text: `Tuesday is fine.

Regards
Grace

From: Ada Lovelace <ada@example.com>
Sent: Saturday, November 21, 2026 10:02 AM
To: Grace Hopper <grace@example.com>
Cc: Konrad Zuse <konrad@example.com>
Subject: Pump for hall 3

Hello Grace,

could we deliver on Tuesday?
`,
		html: desktopHtml(
			paragraph('Tuesday is fine.') +
				paragraph('&nbsp;') +
				paragraph('Regards') +
				paragraph('Grace'),
			'<b><span lang="EN-US">From:</span></b><span lang="EN-US"> Ada Lovelace &lt;ada@example.com&gt; <br><b>Sent:</b> Saturday, November 21, 2026 10:02 AM<br><b>To:</b> Grace Hopper &lt;grace@example.com&gt;<br><b>Cc:</b> Konrad Zuse &lt;konrad@example.com&gt;<br><b>Subject:</b> Pump for hall 3</span>',
			paragraph('Hello Grace,') + paragraph('could we deliver on Tuesday?'),
		),
		newText: `Tuesday is fine.

Regards
Grace`,
	},
	{
		mailer: 'Outlook for Windows',
		language: 'de',
		subject: 'AW: Angebot 1042',
		text: `Guten Tag Frau Lovelace,

wir nehmen das Angebot an.

Mit freundlichen Grüßen
Konrad Zuse

Von: Ada Lovelace <ada@example.com> 
Gesendet: Samstag, 21. November 2026 10:02
An: Konrad Zuse <konrad@example.com>
Betreff: Angebot 1042

anbei unser Angebot.
`,
		html: desktopHtml(
			paragraph('Guten Tag Frau Lovelace,') +
				paragraph('&nbsp;') +
				paragraph('wir nehmen das Angebot an.') +
				paragraph('&nbsp;') +
				paragraph('Mit freundlichen Grüßen') +
				paragraph('Konrad Zuse'),
			'<b>Von:</b> Ada Lovelace &lt;ada@example.com&gt; <br><b>Gesendet:</b> Samstag, 21. November 2026 10:02<br><b>An:</b> Konrad Zuse &lt;konrad@example.com&gt;<br><b>Betreff:</b> Angebot 1042',
			paragraph('anbei unser Angebot.'),
		),
		newText: `Guten Tag Frau Lovelace,

wir nehmen das Angebot an.

Mit freundlichen Grüßen
Konrad Zuse`,
	},
	{
		mailer: 'Outlook 2010, text',
		language: 'de',
		subject: 'AW: Rechnung',
		text: `Ist bezahlt.

-----Ursprüngliche Nachricht-----
Von: Ada Lovelace [mailto:ada@example.com] 
Gesendet: Samstag, 21. November 2026 10:02
An: Konrad Zuse
Betreff: Rechnung

Wann zahlen Sie?
`,
		newText: 'Ist bezahlt.',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'fr',
		subject: 'RE: Livraison',
		text: `Bonjour,

Nous serons là à 9 h.

Cordialement,
Blaise

De : Ada Lovelace <ada@example.com> 
Envoyé : samedi 21 novembre 2026 10:02
À : Blaise Pascal <blaise@example.com>
Objet : Livraison

Bonjour, à quelle heure ?
`,
		newText: `Bonjour,

Nous serons là à 9 h.

Cordialement,
Blaise`,
	},
	{
		mailer: 'Outlook on the web',
		language: 'en',
		subject: 'Re: Access card',
		html: webHtml(
			div('Approved.') + div('<br>') + div('Thanks,') + div('Grace'),
			'<b>From:</b> Ada Lovelace &lt;ada@example.com&gt;<br><b>Sent:</b> Saturday, November 21, 2026 10:02 AM<br><b>To:</b> Grace Hopper &lt;grace@example.com&gt;<br><b>Subject:</b> Access card',
			'<div>May I have an access card?</div>',
		),
		text: `Approved.

Thanks,
Grace
________________________________
From: Ada Lovelace <ada@example.com>
Sent: Saturday, November 21, 2026 10:02 AM
To: Grace Hopper <grace@example.com>
Subject: Access card

May I have an access card?
`,
		newText: `Approved.

Thanks,
Grace`,
	},
	{
		mailer: 'Outlook on the web, with a signature',
		language: 'nl',
		subject: 'Re: Offerte',
		html: webHtml(
			div('Akkoord met de offerte.') +
				'<div id="Signature"><div>Edsger Dijkstra</div><div>Inkoop</div></div>',
			'<b>Van:</b> Ada Lovelace &lt;ada@example.com&gt;<br><b>Verzonden:</b> zaterdag 21 november 2026 10:02<br><b>Aan:</b> Edsger Dijkstra &lt;edsger@example.com&gt;<br><b>Onderwerp:</b> Offerte',
			'<div>Hierbij de offerte.</div>',
		),
		newText: 'Akkoord met de offerte.',
	},
	{
		mailer: 'Outlook on the web, an answer to an answer',
		language: 'es',
		subject: 'RE: Pedido 77',
		html: webHtml(
			div('Sale mañana.'),
			'<b>De:</b> Ada Lovelace &lt;ada@example.com&gt;<br><b>Enviado:</b> sábado, 21 de noviembre de 2026 10:02<br><b>Para:</b> Ramón &lt;ramon@example.com&gt;<br><b>Asunto:</b> RE: Pedido 77',
			'<div>¿Cuándo sale?</div><div id="x_appendonsend"></div><hr><div id="x_divRplyFwdMsg"><b>De:</b> Ramón<br><b>Enviado:</b> viernes<br><b>Asunto:</b> Pedido 77</div><div>Recibido.</div>',
		),
		newText: 'Sale mañana.',
	},
	{
		mailer: 'Outlook for iOS',
		language: 'en',
		subject: 'Re: Key',
		text: `Left it at the desk.

Get Outlook for iOS<https://aka.ms/o0ukef>
________________________________
From: Ada Lovelace <ada@example.com>
Sent: Saturday, November 21, 2026 10:02:31 AM
To: Grace Hopper <grace@example.com>
Subject: Key

Where is the key?
`,
		html: '<html><body><div dir="ltr">Left it at the desk.</div><div id="ms-outlook-mobile-body-separator-line" dir="ltr"><br></div><div id="ms-outlook-mobile-signature" dir="ltr">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message skipProofing"><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Ada Lovelace &lt;ada@example.com&gt;<br><b>Sent:</b> Saturday, November 21, 2026 10:02:31 AM<br><b>To:</b> Grace Hopper<br><b>Subject:</b> Key</div><div>Where is the key?</div></div></body></html>',
		newText: 'Left it at the desk.',
	},
	{
		mailer: 'Outlook for Android',
		language: 'fr',
		subject: 'Re: Clé',
		text: `À l'accueil.

Télécharger Outlook pour Android<https://aka.ms/AAb9ysg>
________________________________
De : Ada Lovelace <ada@example.com>
Envoyé : samedi 21 novembre 2026 10:02
À : Blaise Pascal <blaise@example.com>
Objet : Clé

Où est la clé ?
`,
		newText: "À l'accueil.",
	},
	{
		mailer: 'Outlook for Mac',
		language: 'en',
		subject: 'Re: Lunch',
		text: `Noon.

Grace

From: Ada Lovelace <ada@example.com>
Date: Saturday, November 21, 2026 at 10:02 AM
To: Grace Hopper <grace@example.com>
Subject: Lunch

When?
`,
		html: '<html><body><div class="WordSection1"><p class="MsoNormal">Noon.</p><p class="MsoNormal">&nbsp;</p><p class="MsoNormal">Grace</p><div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal"><b><span style="color:black">From: </span></b><span style="color:black">Ada Lovelace &lt;ada@example.com&gt;<br><b>Date: </b>Saturday, November 21, 2026 at 10:02 AM<br><b>To: </b>Grace Hopper &lt;grace@example.com&gt;<br><b>Subject: </b>Lunch</span></p></div><p class="MsoNormal">When?</p></div></body></html>',
		newText: `Noon.

Grace`,
	},
	{
		mailer: 'Outlook for Windows',
		language: 'it',
		subject: 'R: Preventivo',
		text: `Confermo.

Da: Ada Lovelace <ada@example.com> 
Inviato: sabato 21 novembre 2026 10:02
A: Enrico Fermi <enrico@example.com>
Oggetto: Preventivo

Ecco il preventivo.
`,
		newText: 'Confermo.',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'pt',
		subject: 'RES: Fatura',
		text: `Segue o comprovante.

De: Ada Lovelace <ada@example.com> 
Enviada em: sábado, 21 de novembro de 2026 10:02
Para: Santos Dumont <santos@example.com>
Assunto: Fatura

Favor enviar o comprovante.
`,
		newText: 'Segue o comprovante.',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'sv',
		subject: 'SV: Offert',
		text: `Tack, vi accepterar.

Från: Ada Lovelace <ada@example.com> 
Skickat: den 21 november 2026 10:02
Till: Anders <anders@example.com>
Ämne: Offert

Här är offerten.
`,
		newText: 'Tack, vi accepterar.',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'da',
		subject: 'SV: Tilbud',
		text: `Det lyder godt.

Fra: Ada Lovelace <ada@example.com> 
Sendt: 21. november 2026 10:02
Til: Niels <niels@example.com>
Emne: Tilbud

Her er tilbuddet.
`,
		newText: 'Det lyder godt.',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'pl',
		subject: 'ODP: Zamówienie',
		text: `Potwierdzam.

Od: Ada Lovelace <ada@example.com> 
Wysłano: sobota, 21 listopada 2026 10:02
Do: Maria <maria@example.com>
Temat: Zamówienie

Proszę o potwierdzenie.
`,
		newText: 'Potwierdzam.',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'cs',
		subject: 'RE: Objednávka',
		text: `Souhlasím.

From: Ada Lovelace <ada@example.com> 
Sent: sobota 21. listopadu 2026 10:02
To: Karel <karel@example.com>
Subject: Objednávka

Prosím o potvrzení.
`,
		newText: 'Souhlasím.',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'ja',
		subject: 'RE: 納期について',
		text: `来週の火曜日に納品いたします。

差出人: Ada Lovelace <ada@example.com> 
送信日時: 2026年11月21日土曜日 10:02
宛先: 鈴木 <suzuki@example.com>
件名: 納期について

納期を教えてください。
`,
		newText: '来週の火曜日に納品いたします。',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'zh',
		subject: '答复: 交货',
		text: `下周二交货。

发件人: Ada Lovelace <ada@example.com> 
发送时间: 2026年11月21日 10:02
收件人: 王 <wang@example.com>
主题: 交货

什么时候交货?
`,
		newText: '下周二交货。',
	},
	{
		mailer: 'Outlook for Windows',
		language: 'tr',
		subject: 'YNT: Teklif',
		text: `Kabul ediyoruz.

Kimden: Ada Lovelace <ada@example.com> 
Gönderildi: 21 Kasım 2026 Cumartesi 10:02
Kime: Cahit <cahit@example.com>
Konu: Teklif

Teklif ektedir.
`,
		newText: 'Kabul ediyoruz.',
	},
	{
		mailer: 'Outlook for Windows, in a language without a table',
		language: 'et',
		subject: 'Re: Pakkumine',
		html: desktopHtml(
			paragraph('Sobib hästi.'),
			'<b>Saatja:</b> Ada Lovelace &lt;ada@example.com&gt;<br><b>Saadetud:</b> laupäev, 21. november 2026 10:02<br><b>Adressaat:</b> Jaan &lt;jaan@example.com&gt;<br><b>Teema:</b> Pakkumine',
			paragraph('Kas sobib?'),
		),
		newText: 'Sobib hästi.',
	},
	{
		mailer: 'Outlook for Windows, answers within the earlier email',
		language: 'en',
		subject: 'RE: Two questions',
		text: `Please see my answers below in red.

From: Ada Lovelace <ada@example.com>
Sent: Saturday, November 21, 2026 10:02 AM
To: Grace Hopper <grace@example.com>
Subject: Two questions

Which colour? Blue.
How many? Twelve.`,
		newText: `Please see my answers below in red.

From: Ada Lovelace <ada@example.com>
Sent: Saturday, November 21, 2026 10:02 AM
To: Grace Hopper <grace@example.com>
Subject: Two questions

Which colour? Blue.
How many? Twelve.`,
	},
	{
		mailer: 'Outlook for Windows, somebody shows an email about something else',
		language: 'en',
		subject: 'RE: Two questions',
		text: `This is what the carrier says:

From: Carrier <carrier@example.com>
Sent: Friday, November 20, 2026 8:00 AM
To: Grace Hopper <grace@example.com>
Subject: Delay on route 7

Two days late.`,
		newText: `This is what the carrier says:

From: Carrier <carrier@example.com>
Sent: Friday, November 20, 2026 8:00 AM
To: Grace Hopper <grace@example.com>
Subject: Delay on route 7

Two days late.`,
	},
];
