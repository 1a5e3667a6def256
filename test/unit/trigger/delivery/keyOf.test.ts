import type { IDataObject } from 'n8n-workflow';

import { keyOf } from '../../../../nodes/EmailIdentity/trigger/delivery/idempotency';

const keyWith = (message: object) =>
	keyOf({ id: null, rawEmail: '', message: message as IDataObject });

test('a message without an ID that is nested without end is told from others by what it says', () => {
	const other = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
	expect(() => JSON.stringify(other)).toThrow(RangeError);

	const key = keyWith({ subject: 'One', other });
	expect(keyWith({ subject: 'One', other })).toBe(key);
	expect(keyWith({ subject: 'Two', other })).not.toBe(key);
});
