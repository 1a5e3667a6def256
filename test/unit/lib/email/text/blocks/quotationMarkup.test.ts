import { readHtml } from '../support/reading';

const textOf = async (html: string) => (await readHtml(html)).text;

test.each([
	[
		'Yes.<div id="yahoo_quoted_081" class="x">On Saturday<p>q</p></div>',
		'Yes.\n> On Saturday\n\n> q',
	],
	['Yes.<div class="x_x_zmail_extra"><div>q</div></div>', 'Yes.\n> q'],
	['Yes.<div name="quote"><div>q</div></div>', 'Yes.\n> q'],
])('what a mail program marks as an earlier email is a quotation: %s', async (html, text) => {
	expect(await textOf(html)).toBe(text);
});
