import { WAIT_INDEFINITELY, type IDataObject, type INode } from 'n8n-workflow';

import type { Item } from '../../../../../nodes/EmailIdentity/operations/operation';
import { readWaitLimit } from '../../../../../nodes/EmailIdentity/operations/message/question/readQuestion';

const NOW = Date.parse('2026-11-25T12:00:00Z');

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

afterEach(() => jest.restoreAllMocks());

function limitOf(values: IDataObject): Date {
	const context = { getNode: () => ({ name: 'Ask' }) as INode };
	return readWaitLimit({ context, parameter: () => values } as unknown as Item);
}

const at = (maxDateAndTime: number | string) => ({ limitType: 'atSpecifiedTime', maxDateAndTime });

test.each([
	[{ resumeAmount: 1.5, resumeUnit: 'minutes' }, '2026-11-25T12:01:30Z'],
	[{ resumeAmount: 2, resumeUnit: 'hours' }, '2026-11-25T14:00:00Z'],
	[{ resumeAmount: 2, resumeUnit: 'days' }, '2026-11-27T12:00:00Z'],
	// The editor stores no defaults.
	[{ resumeAmount: 3 }, '2026-11-25T15:00:00Z'],
	[{ resumeUnit: 'days' }, '2026-11-26T12:00:00Z'],
	[at('2026-11-25T12:00:01Z'), '2026-11-25T12:00:01Z'],
	[at(NOW + 1000), '2026-11-25T12:00:01Z'],
])('with the limit %j, the workflow continues at %s', (values, expected) => {
	expect(limitOf(values)).toEqual(new Date(expected));
});

test('without a limit, the workflow waits for ever', () => {
	expect(limitOf({})).toEqual(WAIT_INDEFINITELY);
});

test.each([
	{ resumeAmount: 0 },
	{ resumeAmount: -1 },
	{ resumeAmount: 'x' },
	{ resumeAmount: 1e15 },
	{ resumeUnit: 'weeks' },
	{ resumeUnit: 'toString' },
	at('2026-11-25T12:00:00Z'),
	at('soon'),
	at(''),
])('the limit %j is refused', (values) => {
	expect(() => limitOf(values as IDataObject)).toThrow('not in the future');
});
