import { PATIENT, WATCHED } from '../../../nodes/EmailIdentity/api/retry';
import { patienceIn } from '../../../nodes/EmailIdentity/resources/operation';

test.each(['manual', 'chat'] as const)('somebody waits for an execution in mode %s', (mode) => {
	expect(patienceIn(mode)).toBe(WATCHED);
});

test.each(['trigger', 'webhook', 'retry', 'integrated', 'error', 'cli'] as const)(
	'nobody waits for an execution in mode %s',
	(mode) => {
		expect({ ...PATIENT, ...patienceIn(mode) }).toEqual(PATIENT);
	},
);
