import { decodeBody } from '../../../../../lib/email/mime/transferEncoding';

test.each([
	['Zmlyc3Q=\r\nc2Vjb25k', 'firstsecond'],
	['Zmlyc3Q=c2Vjb25kIQ==dGhpcmQ', 'firstsecond!third'],
	['SGVs-bG8=', 'Hello'],
	['SGVs_bG8=', 'Hello'],
	['SGVs\nbG8=', 'Hello'],
	['SG*Vs\r\n b-G_8=', 'Hello'],
	['SGVsbG8_', 'Hello'],
	['SGVsbG8=_A', 'Hello'],
	['\u4e00-SGVsbG8=', 'Hello'],
])('base64 %j is %j, as mail programs read it', (text, expected) => {
	expect(decodeBody(text, 'base64').toString()).toBe(expected);
});

test.each([
	['soft=\r\nbreak', 'softbreak'],
	['soft= \t\nbreak', 'softbreak'],
	['at the end=', 'at the end'],
	['=3d=3D', '=='],
	['100=% sure', '100=% sure'],
	['=4', '=4'],
	['hard\r\nbreak\n', 'hard\r\nbreak\n'],
	['ü=C3=BC', 'üü'],
])('quoted-printable %j is %j', (text, expected) => {
	expect(decodeBody(text, 'quoted-printable').toString()).toBe(expected);
});
