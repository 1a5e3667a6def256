import type { NodeApiError } from 'n8n-workflow';

import type {
	EmailIdentityService,
	ServiceOptions,
} from '../../../../nodes/EmailIdentity/api/service';
import {
	withinDeadline,
	type HookHost,
} from '../../../../nodes/EmailIdentity/trigger/state/hookRequest';

let given: ServiceOptions[];

beforeEach(() => {
	given = [];
});

const host: HookHost = {
	service(options) {
		given.push(options);
		return {} as EmailIdentityService;
	},
	log: () => undefined,
};

/** Work that the deadline ends. @param failures because of which its request is repeated */
async function endAtDeadline(...failures: Error[]): Promise<unknown> {
	const deadline = new AbortController();
	const ended = withinDeadline(host, deadline.signal, async (limited) => {
		limited.service({});
		for (const failure of failures) given[0]?.onRepeat?.(failure as NodeApiError);
		return await new Promise((_resolve, reject) => {
			deadline.signal.addEventListener('abort', () => reject(new Error('Cancelled')));
			deadline.abort();
		});
	});
	return await ended.catch((error: unknown) => String(error));
}

test('at the deadline, the last failure of a repeated request is the reason, or else the time', async () => {
	expect(await endAtDeadline(new Error('First'), new Error('Busy'))).toBe('Error: Busy');
	expect(await endAtDeadline()).toMatch(/took too long/);
});

test('the requests of the work end at the deadline', async () => {
	const { signal } = new AbortController();
	await withinDeadline(host, signal, async (limited) => {
		limited.service({ shareReads: true });
		return await Promise.resolve();
	});
	expect(given).toMatchObject([{ shareReads: true, signal }]);
});

test('work that fails or ends before the deadline has its own error or result', async () => {
	const { signal } = new AbortController();
	const work = async () => await Promise.resolve(7);
	expect(await withinDeadline(host, signal, work)).toBe(7);
	const failing = async () => await Promise.reject(new Error('Refused'));
	await expect(withinDeadline(host, signal, failing)).rejects.toThrow('Refused');
});
