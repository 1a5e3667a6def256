import type { Reply } from './types';

const html = (attribution: string, quoted: string, answer: string, above = '') =>
	`<!DOCTYPE html>\n<html>\n  <head>\n    <meta http-equiv="Content-Type" content="text/html; charset=UTF-8">\n  </head>\n  <body>${above}\n    <div class="moz-cite-prefix">${attribution}<br>\n    </div>\n    <blockquote type="cite"\n      cite="mid:one@example.com">\n      ${quoted}\n    </blockquote>\n    ${answer}\n  </body>\n</html>\n`;

/** Thunderbird and others of its age: the answer stands above, below or between, with marks before each quoted line. */
export const THUNDERBIRD: Reply[] = [
	{
		mailer: 'Thunderbird, the answer above',
		language: 'en',
		subject: 'Re: Build 118',
		text: `Green again, thanks.

On 21/11/2026 10:02, Ada Lovelace wrote:
> The build is red.
>
> -- 
> Ada
`,
		html: html(
			'On 21/11/2026 10:02, Ada Lovelace wrote:',
			'<p>The build is red.</p>',
			'',
			'\n    <p>Green again, thanks.</p>',
		),
		newText: 'Green again, thanks.',
	},
	{
		mailer: 'Thunderbird, the answer below',
		language: 'en',
		subject: 'Re: Build 118',
		text: `On 21/11/2026 10:02, Ada Lovelace wrote:
> The build is red.

Green again, thanks.

-- 
Grace Hopper
Compiler group
`,
		html: html(
			'On 21/11/2026 10:02, Ada Lovelace wrote:',
			'<p>The build is red.</p>',
			'<p>Green again, thanks.</p>\n    <pre class="moz-signature" cols="72">-- \nGrace Hopper\nCompiler group</pre>',
		),
		newText: 'Green again, thanks.',
	},
	{
		mailer: 'Thunderbird, the answer below',
		language: 'de',
		subject: 'Re: Protokoll',
		text: `Am 21.11.26 um 10:02 schrieb Ada Lovelace:
> Anbei das Protokoll.
> 
> Ada

Danke, keine Einwände.
`,
		html: html(
			'Am 21.11.26 um 10:02 schrieb Ada Lovelace:',
			'<p>Anbei das Protokoll.</p>',
			'<p>Danke, keine Einwände.</p>',
		),
		newText: 'Danke, keine Einwände.',
	},
	{
		mailer: 'Thunderbird, the answer above',
		language: 'pl',
		subject: 'Re: Spotkanie',
		text: `Pasuje mi.

W dniu 21.11.2026 o 10:02, Ada Lovelace pisze:
> Czy środa pasuje?
`,
		newText: 'Pasuje mi.',
	},
	{
		mailer: 'Thunderbird, the answer above',
		language: 'fi',
		subject: 'Re: Tapaaminen',
		text: `Keskiviikko sopii.

Ada Lovelace kirjoitti 21.11.2026 klo 10.02:
> Sopiiko keskiviikko?
`,
		newText: 'Keskiviikko sopii.',
	},
	{
		mailer: 'Thunderbird, the answer above',
		language: 'cs',
		subject: 'Re: Schůzka',
		text: `Středa se hodí.

Dne 21. 11. 2026 v 10:02 Ada Lovelace napsal(a):
> Hodí se středa?
`,
		newText: 'Středa se hodí.',
	},
	{
		mailer: 'Thunderbird, the answer above',
		language: 'hu',
		subject: 'Re: Találkozó',
		text: `A szerda jó.

2026. 11. 21. 10:02 keltezéssel, Ada Lovelace írta:
> Jó a szerda?
`,
		newText: 'A szerda jó.',
	},
	{
		mailer: 'Thunderbird, the answer above',
		language: 'ru',
		subject: 'Re: Встреча',
		text: `Среда подходит.

21.11.2026 10:02, Ada Lovelace пишет:
> Среда подойдёт?
`,
		newText: 'Среда подходит.',
	},
	{
		mailer: 'Thunderbird, answers between, the rest below',
		language: 'en',
		subject: 'Re: Release',
		text: `On 21/11/2026 10:02, Ada Lovelace wrote:
> When do we release?

On Monday.

> Who announces it?

I do.

> Regards
> Ada
`,
		newText: `On 21/11/2026 10:02, Ada Lovelace wrote:
> When do we release?

On Monday.

> Who announces it?

I do.`,
	},
	{
		mailer: 'Thunderbird, an earlier email as its header',
		language: 'en',
		subject: 'Re: Budget',
		text: `Approved.

-------- Original Message --------
Subject: 	Budget
Date: 	Sat, 21 Nov 2026 10:02:00 +0100
From: 	Ada Lovelace <ada@example.com>
To: 	Grace Hopper <grace@example.com>

May I?
`,
		newText: 'Approved.',
	},
	{
		mailer: 'mutt',
		language: 'en',
		subject: 'Re: [PATCH] Fix the loop',
		text: `On Sat, Nov 21, 2026 at 10:02:00AM +0100, Ada Lovelace wrote:
> This fixes the loop.

Applied, thanks.

-- 
grace
`,
		newText: 'Applied, thanks.',
	},
	{
		mailer: 'mutt, with its own words',
		language: 'en',
		subject: 'Re: Patch',
		text: `* Ada Lovelace <ada@example.com> [2026-11-21 10:02]:
> Which branch?

The stable one.
`,
		newText: 'The stable one.',
	},
	{
		mailer: 'KMail',
		language: 'de',
		subject: 'Re: Termin',
		text: `Am Samstag, 21. November 2026, 10:02:00 CET schrieb Ada Lovelace:
> Geht Freitag?

Freitag geht.
`,
		newText: 'Freitag geht.',
	},
	{
		mailer: 'a mailing list, with its footer',
		language: 'en',
		subject: 'Re: [users] Upgrade',
		text: `Version 3 works here.

On 21/11/2026 10:02, Ada Lovelace wrote:
> Did anybody try version 3?

_______________________________________________
users mailing list
users@lists.example.com
https://lists.example.com/listinfo/users
`,
		newText: 'Version 3 works here.',
	},
];
