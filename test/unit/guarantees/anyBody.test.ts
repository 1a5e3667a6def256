import * as fc from 'fast-check';

import { isObject } from '../../../nodes/EmailIdentity/api/data/json';
import { EMAIL, outcomeOf } from '../trigger/delivery/support/requests';
import '../../support/propertySeed';

const anything = fc.jsonValue({ maxDepth: 3 });
const orAnything = <T>(usual: fc.Arbitrary<T>) =>
	fc.oneof({ arbitrary: usual, weight: 3 }, { arbitrary: anything, weight: 1 });

const FIELDS =
	'id subject from to date headersJson metaData attachments draft deliveredTo state constructor toString';

const message = fc.dictionary(fc.constantFrom(...FIELDS.split(' ')), anything);
const data = fc.record(
	{ message: orAnything(message), rawEmail: orAnything(fc.constantFrom('', EMAIL)) },
	{ requiredKeys: [] },
);
const body = fc.record(
	{ event: orAnything(fc.constant('message.received')), data: orAnything(data) },
	{ requiredKeys: [] },
);

/** By the fields of a message. */
const REASONS = ['draft', 'duplicate', 'sent', 'spam', 'trash', 'otherAccount'];

test('any body gets an answer, and starts the workflow only if it has the shape of the contract', async () => {
	const service = { listIdentities: async () => await Promise.resolve([]) };
	let started = 0;
	await fc.assert(
		fc.asyncProperty(orAnything(body), fc.boolean(), async (body, simplify) => {
			const outcome = await outcomeOf({ body, service, parameters: { simplify } });
			const { event, data } = isObject(body) ? body : {};
			const { message, rawEmail } = isObject(data) ? data : {};
			const isDelivery =
				event === 'message.received' && isObject(message) && typeof rawEmail === 'string';
			expect(isDelivery ? ['started', ...REASONS] : ['event', '400']).toContain(outcome);
			if (outcome === 'started') started++;
		}),
		{ numRuns: 1000 },
	);
	expect(started).toBeGreaterThan(100);
});
