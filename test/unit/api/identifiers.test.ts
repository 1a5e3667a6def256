import fc from 'fast-check';
import { isUuid, readId, toPathSegment } from '../../../nodes/EmailIdentity/api/identifiers';

test('a UUID is found bare, with blanks around it, and at the end of an address', () => {
	fc.assert(
		fc.property(fc.uuid(), fc.constantFrom('', '/', '?tab=dns', '#top', '/?a=b'), (uuid, end) => {
			expect(readId(` ${uuid.toUpperCase()}\n`)).toBe(uuid);
			expect(readId(`https://mail.example.com/app/identities/${uuid}${end}`)).toBe(uuid);
		}),
	);
});

test.each([
	[' 507f1f77bcf86cd799439011\n', '507f1f77bcf86cd799439011'],
	['Id_AbC', 'Id_AbC'],
	[42, '42'],
	['urn:id:7', 'urn:id:7'],
	['1F0C8A52-6C0E-4F0B-9D5E-2A4F7C3B9E11', '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11'],
	['https://mail.example.com/webhooks/Id%2F7/?tab=dns', 'Id/7'],
	['https://mail.example.com/100%', '100%'],
	['https://mail.example.com/?id=7', undefined],
	['https://', undefined],
	['', undefined],
	[undefined, undefined],
	['  ', undefined],
	[null, undefined],
	[{}, undefined],
])('the ID in %p is %p', (entered, id) => {
	expect(readId(entered)).toBe(id);
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
