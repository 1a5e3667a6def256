import fc from 'fast-check';

import { emailFileName, FileNames } from '../../../../../lib/email/files/fileNames';

const name = (given: string | null, mimeType = 'application/pdf') =>
	new FileNames().nameFor(given, mimeType);

test.each([
	['report.pdf', 'report.pdf', 'an ordinary name stays'],
	['Übersicht (2).pdf', 'Übersicht (2).pdf', 'letters and blanks of any language stay'],
	['../../etc/passwd.txt', 'passwd.txt', 'folders are dropped'],
	['C:\\Users\\me\\plan.doc', 'plan.doc', 'folders in the way of Windows are dropped'],
	['folder/', 'folder.pdf', 'a folder alone gives its name'],
	['a\u0000b\r\nc.pdf', 'a b c.pdf', 'control characters are blanks'],
	['a\t\tb.pdf', 'a b.pdf', 'a tab is a blank'],
	[`${' \t'.repeat(2000)}a${' '.repeat(2000)}b.pdf`, 'a b.pdf', 'many blanks are one'],
	['photo\u202egnp.exe', 'photognp.exe', 'a reversed direction does not hide an extension'],
	['\u{1f468}\u200d\u{1f469}.png', '\u{1f468}\u200d\u{1f469}.png', 'joined emoji stay together'],
	['.htaccess', 'htaccess.pdf', 'a leading dot does not hide the file'],
	['name. . ', 'name.pdf', 'trailing dots and blanks are dropped'],
	['a<b>c:d"e|f?g*h.pdf', 'a_b_c_d_e_f_g_h.pdf', 'what Windows refuses is replaced'],
	['CON', '_CON.pdf', 'reserved names are changed'],
	['CON .pdf', '_CON.pdf', 'reserved names are changed with a blank too'],
	['COM¹.pdf', '_COM¹.pdf', 'reserved names with a raised digit are changed'],
	['conin$', '_conin$.pdf', 'names of the console are changed'],
	['lpt1.txt', '_lpt1.txt', 'reserved names are changed with an extension too'],
	['contract.pdf', 'contract.pdf', 'names that begin like reserved ones stay'],
	['holiday', 'holiday.pdf', 'a missing extension follows from the type'],
	['', 'attachment.pdf', 'an empty name gets one'],
	['..', 'attachment.pdf', 'dots are no name'],
	['caf\u0065\u0301.pdf', 'caf\u00e9.pdf', 'one letter is one character'],
	['Caf\u0093e\u0094.pdf', 'Caf“e”.pdf', 'characters of Windows-1252 come back'],
])('%j becomes %j: %s', (given, expected) => {
	expect(name(given)).toBe(expected);
});

test('without a name the type gives the extension, and an unknown type gives none', () => {
	expect(name(null, 'message/rfc822')).toBe('attachment.eml');
	expect(name(null, 'application/x-unheard-of')).toBe('attachment');
	expect(name(null, 'text/calendar')).toBe('invite.ics');
});

test('the same name is numbered, whatever its case', () => {
	const names = new FileNames();
	const given = ['a.pdf', 'A.pdf', 'a.pdf', 'a (2).pdf', null, null];
	expect(given.map((one) => names.nameFor(one, 'application/pdf')).join()).toBe(
		'a.pdf,A (2).pdf,a (3).pdf,a (2) (2).pdf,attachment.pdf,attachment (2).pdf',
	);
});

test('a long name is cut between characters and keeps its extension', () => {
	const long = name(`${'漢'.repeat(300)}.pdf`);
	expect(Buffer.byteLength(long)).toBeLessThanOrEqual(200);
	expect(long).toMatch(/^漢+\.pdf$/);
});

test('whatever was given, names are safe, short and unique', () => {
	const anything = fc.option(fc.string({ unit: 'binary', maxLength: 400 }));
	fc.assert(
		fc.property(fc.array(anything, { maxLength: 8 }), (given) => {
			const names = new FileNames();
			const all = given.map((one) => names.nameFor(one, 'text/csv'));
			expect(new Set(all.map((one) => one.toLowerCase())).size).toBe(all.length);
			for (const one of all) {
				expect(one).toMatch(/^[^./\\\p{Cc}<>:"|?*][^/\\\p{Cc}<>:"|?*]*$/u);
				expect(Buffer.byteLength(one)).toBeLessThan(240);
			}
		}),
	);
});

test.each([
	['Offer 12/2026', 'Offer 12_2026.eml'],
	['Invoice.pdf', 'Invoice.pdf.eml'],
	[' ', null],
])('an attached email with the subject %j is named %j', (subject, expected) => {
	expect(emailFileName(subject)).toBe(expected);
});
