import { readEmail } from '../../support/reading';

/** As in the emails of services with many customers. */
const TEMPLATES: Record<string, string> = {
	'tables within tables (Mailchimp)': `<!doctype html><html><head><title>News</title><style>
		p{margin:10px 0}table{border-collapse:collapse}#outlook a{padding:0}.ReadMsgBody{width:100%}
		body,#bodyTable{height:100%;margin:0}.mcnPreviewText{display:none !important}
		.mcnTextContent a,.mcnTextContent p a{color:#007C89}#templateFooter{background:#333333 none no-repeat center/cover}
		#templateFooter .mcnTextContent, #templateFooter .mcnTextContent p{color:#FFFFFF;font-size:12px}
		@media only screen and (max-width:480px){.mcnImage{width:100% !important}.mcpreview-image-uploader{display:none !important}}</style></head>
		<body><span class="mcnPreviewText" style="display:none; font-size:0px; line-height:0px; max-height:0px; max-width:0px; opacity:0; overflow:hidden; visibility:hidden; mso-hide:all;">PREVIEW</span>
		<table id="bodyTable" bgcolor="#fafafa"><tr><td><table class="mcnTextBlock"><tr><td class="mcnTextContent"><h1>Our news</h1><p>WORDS</p></td></tr></table></td></tr>
		<tr><td id="templateFooter"><table><tr><td class="mcnTextContent"><p>FOOTER</p></td></tr></table></td></tr></table></body></html>`,
	'cells without a font (MJML)': `<!doctype html><html><head><!--[if !mso]><!--><meta http-equiv="X-UA-Compatible" content="IE=edge"><!--<![endif]-->
		<style>#outlook a { padding:0; } body { margin:0;padding:0; } p { display:block;margin:13px 0; }</style>
		<!--[if mso]><style>.mj-outlook-group-fix { width:100% !important; } td { display:none }</style><![endif]-->
		<style>@media only screen and (min-width:480px) { .mj-column-per-100 { width:100% !important; } }</style></head>
		<body style="background-color:#f4f4f4;"><div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">PREVIEW&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;</div>
		<div style="background-color:#f4f4f4;"><table style="width:100%"><tbody><tr><td style="direction:ltr;font-size:0px;padding:20px 0;text-align:center;"><div class="mj-column-per-100" style="font-size:0px;width:100%;">
		<table><tr><td style="font-size:0px;padding:10px 25px;"><div style="font-family:Arial;font-size:13px;color:#000000;">WORDS</div></td></tr>
		<tr><td style="font-size:0px"><img alt="Logo of the shop" src="x" style="font-size:13px;width:100%"></td></tr></table></div></td></tr></tbody></table>
		<div style="background:#111 url(x.jpg) center / cover"><div style="font-size:11px;color:#ffffff;">FOOTER</div></div></div></body></html>`,
	'a dark design': `<html><head><style>body{background:#000}.card{background:#1a1a1a;color:#eee}.muted{color:#8a8a8a}.button{background:#7c3aed;color:#fff!important;text-decoration:none}</style></head>
		<body bgcolor="#000000" text="#ffffff" style="margin:0"><div style="color:#000000;display:none">PREVIEW</div><div class="card"><p>WORDS</p><a class="button" href="https://news.example/go">Open it</a></div><p class="muted">FOOTER</p></body></html>`,
	'a notification (GitHub)': `<p dir="auto">WORDS</p><p style="font-size:small;-webkit-text-size-adjust:none;color:#666;">&mdash;<br />FOOTER<br />Reply to this email directly, <a href="https://github.example/a/b/issues/1">view it on GitHub</a>.<br />You are receiving this because you were mentioned.<img src="https://github.example/beacon/x.gif" height="1" width="1" alt="" /><span style="color: transparent; font-size: 0; display: none; visibility: hidden; overflow: hidden; opacity: 0; width: 0; height: 0; max-width: 0; max-height: 0; mso-hide: all">Message ID: <span>&lt;a/b/issues/1@github.example</span><span>&gt;</span></span></p>
		<script type="application/ld+json">[{"@type":"EmailMessage","description":"View this"}]</script>`,
	'words for phones': `<html><head><style>.phone{display:none;max-height:0;overflow:hidden}@media only screen and (max-width:600px){.desktop{display:none!important}.phone{display:block!important;max-height:none!important}}</style></head>
		<body><div style="display:none;max-height:0">PREVIEW</div><table class="desktop"><tr><td>WORDS</td></tr></table><!--[if !mso]><!--><div class="phone">Menu for phones, swipe it</div><!--<![endif]--><p style="color:#aaaaaa">FOOTER</p></body></html>`,
	'written in Outlook': `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- @font-face {font-family:Calibri;} p.MsoNormal {margin:0cm;font-size:11.0pt;} a:link {color:#0563C1;} span.EmailStyle18 {color:windowtext;} @page WordSection1 {size:612.0pt 792.0pt;} --></style></head>
		<body lang=EN-US link="#0563C1"><div class=WordSection1><p class=MsoNormal><span style='color:#1F497D'>WORDS<o:p></o:p></span></p><p class=MsoNormal style='text-indent:-18.0pt;margin-left:36.0pt'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span>FOOTER<o:p></o:p></p></div></body></html>`,
	'pictures with words on them': `<table><tr><td background="https://news.example/hero.jpg" style="background-size:cover"><h1 style="color:#ffffff;text-shadow:0 1px 2px #000">WORDS</h1></td></tr></table><div style="position:relative"><img src="https://news.example/x.png" alt="A picture"><div style="position:absolute;top:20px;left:20px;color:#fff">On the picture</div></div><p style="color:#767676;font-size:10px">FOOTER</p>`,
};

const WORDS = 'Dear customer, your parcel is on its way and comes on Monday between 9 and 11.';
const FOOTER = 'Example Ltd, 1 Main Street, Vienna. Unsubscribe at any time.';
const PREVIEW = 'Your parcel comes on Monday, and there is a surprise in it for you';

/** What a text part changes is in `textAgainstHtml.test.ts`. */
test.each(Object.entries(TEMPLATES))(
	'%s: without the preview, with all other words',
	async (_template, html) => {
		const shown = html
			.replace('PREVIEW', PREVIEW)
			.replace('WORDS', WORDS)
			.replace('FOOTER', FOOTER);
		const header = 'From: News <n@news.example>\r\nContent-Type: text/html; charset=utf-8';
		const text = (await readEmail(`${header}\r\n\r\n${shown}`)).email.text ?? '';
		expect(text).not.toContain('surprise');
		for (const words of [WORDS, FOOTER]) expect(text.replace(/\s+/g, ' ')).toContain(words);
	},
);
