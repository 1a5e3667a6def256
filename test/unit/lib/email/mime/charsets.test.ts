import { newPace } from '../../../../support/reading';
import { decodeCharset, decodeLongText } from '../../../../../lib/email/mime/charsets';
import { decodeWords } from '../../../../../lib/email/mime/encodedWords';

test.each<[string | undefined, number[], string]>([
	['cp932', [0x93, 0xfa], '日'],
	['x-sjis', [0x93, 0xfa], '日'],
	['eucJP', [0xc6, 0xfc], '日'],
	['cp936', [0xc8, 0xd5], '日'],
	['cp950', [0xa4, 0xe9], '日'],
	['uhc', [0xb0, 0xa1], '가'],
	['ms949', [0xb0, 0xa1], '가'],
	['windows-932', [0x93, 0xfa], '日'],
	['gb-2312', [0xc8, 0xd5], '日'],
	['windows-950', [0xa4, 0xe9], '日'],
	['tis620', [0xa1], 'ก'],
	['cp850', [0x81, 0xe1, 0x41], 'üßA'],
	['IBM437', [0x9b], '¢'],
	['cp852', [0xa5], 'ą'],
	['ks_c_5601-1987', [0xb0, 0xa1], '가'],
	['ISO-8859-8-I', [0xe0], 'א'],
	['ISO_8859-2:1987', [0xb1], 'ą'],
	['latin-9', [0xa4], '€'],
	['win-1251', [0xc4], 'Д'],
	['mac-roman', [0x8e], 'é'],
	['utf-16', [0xfe, 0xff, 0x65, 0xe5], '日'],
	['utf-16', [0xe5, 0x65], '日'],
	['utf16', [0xfe, 0xff, 0x65, 0xe5], '日'],
	['=utf-8', [0xc3, 0xa9], 'é'],
	['utf-7', [0x2b, 0x41, 0x2d], '+A-'],
	['windows-1252', [0x80, 0x96], '€–'],
	['us-ascii', [0x93], '“'],
	['no-such-charset', [0xe9], 'é'],
	['constructor', [0xe9], 'é'],
	['?*x', [0xe9], 'é'],
	['', [0xc3, 0xa9], 'é'],
	['', [0xe9, 0x80], 'é€'],
	[undefined, [0xc3, 0xa9], 'é'],
	[undefined, [0xe9, 0x80], 'é€'],
	[undefined, [0xef, 0xbb, 0xbf, 0xef, 0xbf, 0xbd, 0xc3, 0xa9], '\ufffdé'],
	['utf-8', [0xe9], '\ufffd'],
])('charset %s is read', (charset, bytes, text) => {
	expect(decodeCharset(Buffer.from(bytes), charset)).toBe(text);
});

test.each<[string | undefined, Buffer, string]>([
	['ISO-2022-JP', Buffer.from('\x1b$B$3$s\x1b(B a\r\n', 'latin1'), 'こん a\r\n'],
	['iso-2022-jp-2', Buffer.from('\x1b$B$3$s\x1b(B\r\n', 'latin1'), 'こん\r\n'],
	['shift_jis', Buffer.from([0x93, 0xfa, 0x93, 0xfa, 0x20]), '日日 '],
	['cp932', Buffer.from([0x93, 0xfa, 0x93, 0xfa, 0x93, 0xfa, 0x0a]), '日日日\n'],
	['utf-16le', Buffer.from('Ċ日 a', 'utf16le'), 'Ċ日 a'],
	['utf-8', Buffer.from('日本 '), '日本 '],
	['windows-1252', Buffer.from([0x80, 0x96]), '€–'],
	['cp949', Buffer.from([0xbe, 0xc8, 0x89, 0xe7, 0x41]), '안됬A'],
	['big5-hkscs', Buffer.from([0x9d, 0xf6, 0xa7, 0xda, 0x41]), '喺我A'],
	['euc-jp', Buffer.from([0x8f, 0xb0, 0xa1, 0xc6, 0xfc]), '丂日'],
	['gb2312', Buffer.from([0x95, 0x34, 0xb2, 0x35, 0xd2, 0xb0, 0x41]), '𠮷野A'],
	['cp50220', Buffer.from('\x1b(B\x1b$B$3\x1b(J\x1b$B$s\x1b(B\n', 'latin1'), 'こん\n'],
	[undefined, Buffer.from('日本 '), '日本 '],
	[undefined, Buffer.from([0x80, 0x96]), '€–'],
])('a long text in %s loses nothing where it is cut', async (charset, bytes, text) => {
	const times = Math.ceil(1_000_000 / bytes.length);
	const long = Buffer.concat(Array.from({ length: times }, () => bytes));
	const { text: decoded } = await decodeLongText(long, charset, false, newPace());
	expect(decoded.length).toBe(text.length * times);
	expect(decoded.replaceAll(text, '')).toBe('');
});

test.each([
	['=?utf-8?B?w6k=?=', 'é'],
	['a =?utf-8?q?=C3=A9_b?= c', 'a é b c'],
	['=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=', 'é'],
	['=?utf-8?B?ww==?=\r\n =?UTF-8?B?qQ==?=', 'é'],
	['=?utf-8*de?Q?=C3=A9?=', 'é'],
	['=?iso-8859-1?Q?=E9?= =?utf-8?Q?=C3=A9?=', 'éé'],
	['=?utf-8?X?a?= =?utf-8?Q', '=?utf-8?X?a?= =?utf-8?Q'],
	['=?utf-8?Q?a?= b =?utf-8?Q?c?=', 'a b c'],
	['=?utf-8?Q?= c3=A9?=', 'é'],
	['=?ISO-2022-JP?B?GyRCJCIbKEI=?= =?ISO-2022-JP?B?GyRCJCQbKEI=?=', 'あい'],
])('encoded words: %j is %s', (value, text) => {
	expect(decodeWords(value)).toBe(text);
});
