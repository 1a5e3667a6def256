import type { IExecuteFunctions, INode } from 'n8n-workflow';

import {
	digestOf,
	readSubjectLine,
	readToAddress,
	toOutgoingEmail,
} from '../../../../nodes/EmailIdentity/operations/message/emailContent';
import type { Item } from '../../../../nodes/EmailIdentity/operations/operation';

const context: Partial<IExecuteFunctions> = { getNode: () => ({ name: 'Send' }) as INode };
const ITEM = { context } as Item;

test.each([
	['ada@example.org', 'ada@example.org'],
	[' Ada <ada@example.org> ', 'ada@example.org'],
	['"Lovelace, Ada" <ada+x@example.org>', 'ada+x@example.org'],
])('To with %s is the address %s', (written, address) => {
	expect(readToAddress(ITEM, written)).toBe(address);
});

test.each<[unknown, RegExp]>([
	['', /'To' is empty/],
	[null, /'To' is empty/],
	['Ada', /not an email address/],
	['ada@example.org\r\nBcc: eve@example.org', /'To'|one address/],
	['Ada\n<ada@example.org>', /not an email address/],
	['ada@example.org\u0000', /not an email address/],
	['ada@example.org, bob@example.org', /one address/],
	[{ to: 'ada@example.org' }, /not a text/],
])('To with %j is refused', (written, says) => {
	expect(() => readToAddress(ITEM, written)).toThrow(says);
});

test.each([
	['Hi\r\nBcc: eve@example.org', 'Hi Bcc: eve@example.org'],
	[' \u0000 Two   words\t', 'Two words'],
	[17, '17'],
	[' \n ', ''],
	[undefined, ''],
])('the subject %j is the line "%s"', (given, line) => {
	expect(readSubjectLine(ITEM, given)).toBe(line);
});

test.each([
	['ada@bücher.example', 'ada@xn--bcher-kva.example'],
	['"a@b"@Example.org', '"a@b"@example.org'],
	['ада@example.org', 'ада@example.org'],
])('an email to %s leaves for %s', async (address, expected) => {
	const content = { text: 'Hi', files: [] };
	const { to } = await toOutgoingEmail(ITEM, { identityId: 'i-1' }, address, 'Hi', content);
	expect(to).toBe(expected);
});

test('emails that differ in one value are other emails', () => {
	const facts = ['m-1', 'ada@example.org', { text: 'Hi', files: [] }];
	expect(digestOf([...facts])).toBe(digestOf(facts));
	const others = [
		['m-2', ...facts.slice(1)],
		[...facts.slice(0, 2), { text: 'Hi', files: [{ digest: 'x' }] }],
		['m-1ada@example.org', '', facts[2]],
	];
	for (const other of others) expect(digestOf(other)).not.toBe(digestOf(facts));
});
