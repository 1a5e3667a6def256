import { parseAddresses } from '../../../../../lib/email';

test.each([
	['Ada <<ada@example.org>>', 'Ada'],
	['<<ada@example.org>', ''],
	['<ada@example.org> <ada@example.org>', 'ada@example.org'],
	['"<3" <ada@example.org>', '<3'],
])('no bracket of an address is left in its name: %s', (written, name) => {
	expect(parseAddresses(written)).toEqual([{ name, address: 'ada@example.org' }]);
});
