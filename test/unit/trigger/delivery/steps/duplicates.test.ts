import { createHash } from 'node:crypto';

import * as fc from 'fast-check';

import { keysOf } from '../../../../../nodes/EmailIdentity/trigger/delivery/steps/duplicates';
import { KEY_LENGTH } from '../../../../../nodes/EmailIdentity/trigger/delivery/memory/seenMessages';
import '../../../../support/propertySeed';

interface Told {
	id: string | null;
	rawEmail: string;
	messageId: string | null;
}

const pause = async () => await Promise.resolve();

const keys = async ({ id, rawEmail, messageId }: Told) =>
	await keysOf({ id, rawEmail, message: {} }, messageId, pause);

/** Few values, so that many are equal. Some look like another kind of key. */
const told: fc.Arbitrary<Told> = fc.record({
	id: fc.constantFrom(null, '1', '2', 'email:A', '<a@example.com>'),
	rawEmail: fc.constantFrom('', 'A', 'B', '1', '<a@example.com>'),
	messageId: fc.constantFrom(null, '', '<a@example.com>', '<b@example.com>', '1'),
});

test('messages are the same if they share the ID, the Message-ID or, without one, the bytes', async () => {
	const hasBytes = ({ messageId, rawEmail }: Told) => !messageId && rawEmail !== '';
	await fc.assert(
		fc.asyncProperty(told, told, async (one, other) => {
			const expected =
				(one.id !== null && one.id === other.id) ||
				(!!one.messageId && one.messageId === other.messageId) ||
				(hasBytes(one) && hasBytes(other) && one.rawEmail === other.rawEmail);
			const [ofOne, ofOther] = [await keys(one), await keys(other)];

			expect(ofOne.some((key) => ofOther.includes(key))).toBe(expected);
			expect(ofOne.map((key) => key.length)).toEqual(ofOne.map(() => KEY_LENGTH));
		}),
		{ numRuns: 1000 },
	);
});

test('a long email is hashed in pieces, with the key of the whole', async () => {
	const pauses = jest.fn(pause);
	const rawEmail = `${'a'.repeat(999_999)}\u{1f600}${'b'.repeat(1000)}`;

	expect(await keysOf({ id: null, rawEmail, message: {} }, null, pauses)).toEqual([
		digest(`email:${rawEmail}`),
	]);
	expect(pauses).toHaveBeenCalledTimes(1);
});

const digest = (text: string) =>
	createHash('sha256').update(text).digest('base64url').slice(0, KEY_LENGTH);
