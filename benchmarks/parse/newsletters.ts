/** HTML as senders write it, until it has so many characters. Always the same for the same size. */
export type ComposeHtml = (size: number) => string;

const ITEMS = [
	'Our lamp of the month lights a whole room, and needs less than five watts.',
	'Free delivery until Sunday, wherever you live, for all orders above 40 euros.',
	'The café in our shop opens at nine: bring this letter, and the coffee is on us.',
];

const STYLES = ['h1', 'p', 'td', 'a', 'img', '.button', '.card', '.footer p', '.card .price']
	.flatMap((selector, index) => [
		`${selector}{margin:0;padding:${index}px;font-family:Arial,sans-serif;font-size:${12 + index}px;color:#33334${index}}`,
		`@media only screen and (max-width:480px){${selector}{width:100%!important;display:block!important;height:auto!important}}`,
		`.column-${index},table.wrap td.column-${index} .inner{width:${index * 10}%;display:inline-block;vertical-align:top}`,
	])
	.join('\n');

const HEAD = `<!doctype html><html><head><title>News</title><style type="text/css">
#outlook a{padding:0}body{margin:0;-webkit-text-size-adjust:100%}table,td{border-collapse:collapse}
${STYLES}
</style></head><body style="background-color:#f4f4f4"><div style="display:none;font-size:1px;max-height:0;overflow:hidden;opacity:0">What is new</div>`;

const card = (text: string, index: number) => `
<table class="wrap" align="center" role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px"><tbody><tr>
<td class="column-${index % 9}" style="direction:ltr;font-size:0px;padding:${index % 20}px 0;text-align:center;vertical-align:top">
<div class="card inner" style="font-size:13px;text-align:left;display:inline-block;width:100%"><h1 style="margin:0;font-size:20px;line-height:${24 + (index % 4)}px;color:#111111">No. ${index}</h1>
<p style="margin:10px 0;font-family:Arial,sans-serif;font-size:14px;line-height:1.5;color:#333333">${text}</p>
<a class="button" href="https://shop.example/p/${index}?c=mail&amp;u=1042" target="_blank" style="display:inline-block;background:#7c3aed;color:#ffffff;border-radius:4px;padding:10px 25px">Read&nbsp;more</a>
<img src="https://shop.example/${index}.jpg" alt="Picture ${index}" width="280" style="border:0;display:block;height:auto;width:100%">
</div></td></tr></tbody></table>`;

/** With a style sheet, and layout tables whose elements each have styles. */
export const newsletter: ComposeHtml = (size) => `${HEAD}${repeat(card, size)}</body></html>`;

export const styledParagraphs: ComposeHtml = (size) =>
	repeat(
		(text, index) => `<p style="margin:0;font-size:${12 + (index % 9)}px">${text}</p>\n`,
		size,
	);

export const plainParagraphs: ComposeHtml = (size) => repeat((text) => `<p>${text}</p>\n`, size);

function repeat(piece: (text: string, index: number) => string, size: number): string {
	const pieces: string[] = [];
	for (let length = 0; length < size; length += pieces.at(-1)!.length)
		pieces.push(piece(ITEMS[pieces.length % ITEMS.length]!, pieces.length));
	return pieces.join('');
}
