import { readHtml } from '../support/reading';

const textOf = async (html: string) => (await readHtml(html)).text;

describe('what is not shown is not in the text', () => {
	test.each([
		'<script>x</script>',
		'<style>x</style>',
		'<head><title>x</title></head>',
		'<!-- x -->',
		'<!--[if mso]>x<![endif]-->',
		'<template>x</template>',
		'<noframes>x</noframes>',
		'<xml><o:PixelsPerInch>96</o:PixelsPerInch></xml>',
		'<img alt=x width=1 height=1>',
		'<img alt="image001.png">',
		'<div style="display:none"><img alt=x><a href="https://x.example">x</a><ul><li>x</ul></div>',
		'&zwnj;&nbsp;&zwnj;&nbsp;&#847;&shy;&#8199;&#65279;',
		'\u200b\u00ad\u034f\u2060',
	])('%s', async (html) => {
		expect(await textOf(`<p>Before</p>${html}<p>After</p>`)).toBe('Before\n\nAfter');
	});

	test.each([
		['<div style="visibility:hidden"><b style="visibility:visible">Shown</b></div>', 'Shown'],
		['<a style="mso-hide:all" href="https://x.example">Button</a>', 'Button (https://x.example)'],
		['<![if !mso]>Shown<![endif]>', 'Shown'],
		['<p hidden>x<p>Shown', 'Shown'],
		['Preview &#847;&zwnj;&nbsp;&#8199;&shy;&#847;&zwnj;&nbsp;<p>Body</p>', 'Preview\n\nBody'],
		['می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
		['ex&shy;am&#8203;ple', 'example'],
	])('but this is: %s', async (html, text) => {
		expect(await textOf(html)).toBe(text);
	});
});
