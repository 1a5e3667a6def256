import fc from 'fast-check';
import { isUuid, readUuid, toPathSegment } from '../../../nodes/EmailIdentity/api/identifiers';

test('a UUID is found bare, with blanks around it, and at the end of an address', () => {
	fc.assert(
		fc.property(fc.uuid(), fc.constantFrom('', '/', '?tab=dns', '#top', '/?a=b'), (uuid, end) => {
			expect(readUuid(` ${uuid.toUpperCase()}\n`)).toBe(uuid);
			expect(readUuid(`https://mail.example.com/app/identities/${uuid}${end}`)).toBe(uuid);
		}),
	);
});

test.each([
	'',
	'not-an-id',
	'1f0c8a52-6c0e-4f0b-9d5e',
	'1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e1g',
	'https://mail.example.com/identities/1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11/edit',
	'https://mail.example.com/?id=1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11',
	undefined,
	7,
])('there is no UUID in %p', (text) => {
	expect(readUuid(text)).toBeUndefined();
});

test('text that is no UUID is never taken for one', () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			fc.pre(!/^[0-9a-f-]{36}$/i.test(text));
			expect(isUuid(text)).toBe(false);
		}),
	);
});

test('an ID of any characters stays one segment of the path', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
			const segment = toPathSegment(id);
			if (segment === undefined) return;
			const { pathname } = new URL(`https://example.com/api/messages/${segment}`);
			expect(pathname.split('/')).toHaveLength(4);
			expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(id);
		}),
	);
});

test.each(['', '.', '..'])('%p can be no segment of a path', (id) => {
	expect(toPathSegment(id)).toBeUndefined();
});
