import { fileKinds } from '../../../../../lib/email';

test.each<[string, string, string, ...string[]]>([
	['a.pdf', 'application/octet-stream', 'a.pdf', 'application/pdf'],
	['Invoice 4.711', 'application/pdf', 'invoice 4.711.pdf', 'application/pdf'],
	['Invite.ical', 'text/plain', 'invite.ics', 'text/calendar'],
	['photo.JPEG', 'image/jpg', 'photo.jpg', 'image/jpeg', 'image/jpg'],
])('%s of type %s may be taken for both', (fileName, mimeType, name, ...types) => {
	const kinds = fileKinds({ fileName, mimeType, inline: false });
	expect(kinds.names).toContain(name);
	expect(kinds.types).toEqual(expect.arrayContaining(types));
});

test.each([
	['setup.exe', 'application/pdf'],
	['invoice.docm', 'application/pdf'],
	['page.html', 'application/pdf'],
	['setup.exe', 'image/png'],
])('%s is none of its type %s: the name decides', (fileName, mimeType) => {
	const { names, types } = fileKinds({ fileName, mimeType, inline: false });
	expect(names).toEqual([fileName]);
	expect(types).not.toContain(mimeType);
});
