import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { keysOf } from '../../../../nodes/EmailIdentity/trigger/delivery/onceOnly';
import { SeenWindow } from '../../../../nodes/EmailIdentity/trigger/delivery/seenWindow';
import '../../../propertySeed';

interface Told {
	id: string | null;
	rawEmail: string;
	messageId: string | null;
}

const keys = ({ id, rawEmail, messageId }: Told, message: object = {}) =>
	keysOf({ id, rawEmail, message: message as IDataObject }, messageId);

const isSame = (one: Told, other: Told) => {
	const others = keys(other);
	return keys(one).some((key) => others.includes(key));
};

/** Few values, so that many are equal; also such as could be taken for another kind of key. */
const told: fc.Arbitrary<Told> = fc.record({
	id: fc.constantFrom(null, '1', '2', 'email:A', '<a@example.com>'),
	rawEmail: fc.constantFrom('', 'A', 'B', '1', '<a@example.com>'),
	messageId: fc.constantFrom(null, '', '<a@example.com>', '<b@example.com>', '1'),
});

test('a message is the same as one with its ID, its Message-ID or, without one, its bytes; and as no other', () => {
	const hasBytes = ({ messageId, rawEmail }: Told) => !messageId && rawEmail !== '';
	fc.assert(
		fc.property(told, told, (one, other) => {
			const expected =
				(one.id !== null && one.id === other.id) ||
				(!!one.messageId && one.messageId === other.messageId) ||
				(hasBytes(one) && hasBytes(other) && one.rawEmail === other.rawEmail);
			const isNothing = ({ id, messageId, rawEmail }: Told) =>
				id === null && !messageId && rawEmail === '';

			expect(isSame(one, other)).toBe(expected || (isNothing(one) && isNothing(other)));
		}),
		{ numRuns: 2000 },
	);
});

test('keys are as long as the window keeps, and two at most', () => {
	fc.assert(
		fc.property(told, (one) => {
			expect(keys(one).map((key) => key.length)).toEqual(keys(one).map(() => SeenWindow.keyLength));
			expect(keys(one).length).toBeLessThanOrEqual(2);
		}),
	);
});

test('a message without ID and email is told from others by what it says, also when it is nested without end', () => {
	const nothing = { id: null, rawEmail: '', messageId: null };
	const other = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
	expect(() => JSON.stringify(other)).toThrow(RangeError);

	const [key] = keys(nothing, { subject: 'One', other });
	expect(keys(nothing, { subject: 'One', other })).toEqual([key]);
	expect(keys(nothing, { subject: 'Two', other })).not.toContain(key);
});
