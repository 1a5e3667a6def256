import { mayHaveActed, statusOf } from '../../../nodes/EmailIdentity/api/errors';
import { createService, type EmailIdentityService } from '../../../nodes/EmailIdentity/api/service';
import { startSandbox, type FaultRule, type Sandbox, type StoredWebhook } from '../../../sandbox';
import { contextFor, failureOf, quick } from './connection';

const HOOK = 'https://receiver.example/hook';
const NEW_HOOK = 'https://new.example/hook';

/** A request of each kind: repeating it is safe for some and not for others. */
const REQUESTS: Record<string, (service: EmailIdentityService, id: string) => Promise<unknown>> = {
	GET: async ({ listWebhooks }) => await listWebhooks(),
	PATCH: async ({ updateWebhook }, id) => await updateWebhook(id, { description: 'Renamed' }),
	DELETE: async ({ deleteWebhook }, id) => await deleteWebhook(id),
	POST: async ({ createWebhook }) =>
		await createWebhook({ url: NEW_HOOK, events: ['message.received'], ownerId: OWNER }),
};
const METHODS = Object.keys(REQUESTS);
const OWNER = '11111111-1111-4111-8111-111111111111';

interface Fault {
	name: string;
	/** What the service does to the first request; left out: nothing listens. */
	rule?: FaultRule;
	/** Milliseconds that one attempt may take, where the fault is about time. */
	timeout?: number;
	/** Whether the service did what it was asked, although the fault hid that. */
	acts?: boolean;
}

/** Long enough for a machine under load to answer in. */
const SHORT = 1500;

const status = (code: number, more: Partial<FaultRule> = {}, headers = {}): Fault => ({
	name: `${code}${'retry-after' in headers ? ' with Retry-After' : ''}${more.acts ? ' of a proxy' : ''}`,
	rule: { answer: { type: 'status', status: code, headers }, ...more },
	acts: more.acts,
});
const asksToWait = { 'retry-after': '0.1' };
const slow: Pick<Fault, 'timeout' | 'acts'> = { timeout: SHORT, acts: true };
const trickle = { type: 'trickle', chunkBytes: 1, intervalMilliseconds: SHORT } as const;

/** The service has said that it did nothing. */
const NOTHING_DONE: Array<[Fault, RegExp]> = [
	[{ name: 'a refused connection' }, /cannot be reached/],
	[status(401), /refused the API key/],
	[status(403), /no access|not allowed/],
	[status(404), /was not found/],
	[status(409), /conflict/],
	[status(422), /invalid/],
	[
		{
			name: 'a redirect to another origin',
			rule: { answer: { type: 'redirect', location: 'https://elsewhere.example/api' } },
		},
		/another address.*elsewhere\.example/s,
	],
];

/** Repeating does not help, and a creation may have been done. */
const LASTING: Array<[Fault, RegExp]> = [
	[status(500), /internal error|could not create/],
	[{ name: 'a web page with 200', rule: { answer: { type: 'html' } } }, /cannot be read/],
	[
		{ name: 'truncated JSON', rule: { answer: { type: 'truncatedJson' } }, acts: true },
		/cannot be read/,
	],
];

/** Requests are repeated, but for creations, which may have been done. */
const PASSING: Array<[Fault, RegExp]> = [
	[
		{ name: 'a reset before the service acted', rule: { answer: { type: 'drop' } } },
		/closed the connection/,
	],
	[
		{
			name: 'a reset after the service acted',
			rule: { answer: { type: 'drop' }, acts: true },
			acts: true,
		},
		/closed the connection/,
	],
	[{ name: 'no answer in time', rule: { delayAfter: 4 * SHORT }, ...slow }, /took too long/],
	[{ name: 'a trickling answer', rule: { answer: trickle }, ...slow }, /took too long/],
	[status(502), /unavailable/],
	[status(503), /unavailable/],
	[status(503, { acts: true }), /unavailable/],
	[status(504), /unavailable/],
];

/** The request is sent again, or need not be. */
const HARMLESS: Fault[] = [
	status(429),
	status(429, {}, asksToWait),
	status(503, {}, asksToWait),
	{
		name: 'a wrong content type',
		rule: { answer: { type: 'contentType', contentType: 'text/html' } },
		acts: true,
	},
];

let sandboxes: Map<string, Sandbox>;

beforeAll(async () => {
	const started = METHODS.map(
		async (method) => [method, await startSandbox({ dialect: 'fork' })] as const,
	);
	sandboxes = new Map(await Promise.all(started));
});

afterAll(async () => {
	await Promise.all([...sandboxes.values()].map(async (sandbox) => await sandbox.stop()));
});

type Cell = [method: string, fault: string, Fault];
const cells = (faults: Fault[], methods: string[]) =>
	methods.flatMap((method) => faults.map((fault): Cell => [method, fault.name, fault]));
const failing = (rows: Array<[Fault, RegExp]>, methods: string[]) =>
	methods.flatMap((method) =>
		rows.map(([fault, says]) => [method, fault.name, fault, says] as const),
	);
const allBut = (left: string) => METHODS.filter((method) => method !== left);

/** Lets the fault strike once while a request is sent. */
async function meet(method: string, { rule, timeout = 30_000 }: Fault) {
	const sandbox = sandboxes.get(method)!;
	sandbox.replaceState({ webhooks: [] });
	const { id } = sandbox.addWebhook({ url: HOOK, description: 'Made by hand' });
	const before = sandbox.webhooks();
	if (rule) sandbox.addFault({ ...rule, method, count: 1 });
	else await sandbox.goDown();
	const credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.accounts.owner.apiKey };
	const retry = { ...quick, attempts: 3, timeout };
	const service = createService(contextFor('', undefined, credential), { retry });
	const [ended] = await Promise.allSettled([REQUESTS[method]!(service, id)]);
	sandbox.clearFaults();
	if (!rule) await sandbox.comeBack();
	return { ended, before, after: sandbox.webhooks() };
}

function expectDone(method: string, after: StoredWebhook[]): void {
	const shown = after.map(({ url, description }) => [url, description]);
	const done: Record<string, unknown[]> = {
		GET: [[HOOK, 'Made by hand']],
		PATCH: [[HOOK, 'Renamed']],
		DELETE: [],
		POST: [
			[HOOK, 'Made by hand'],
			[NEW_HOOK, null],
		],
	};
	expect(shown).toEqual(done[method]);
}

test.each([
	...cells(
		PASSING.map(([fault]) => fault),
		allBut('POST'),
	),
	...cells(HARMLESS, METHODS),
])('%s succeeds in spite of %s', async (method, _name, fault) => {
	const { ended, after } = await meet(method, fault);
	expect(ended).toMatchObject({ status: 'fulfilled' });
	expectDone(method, after);
});

test.each([
	...failing(NOTHING_DONE, METHODS),
	...failing(LASTING, METHODS),
	...failing(PASSING, ['POST']),
])('%s fails for %s', async (method, _name, fault, says) => {
	const { ended, before, after } = await meet(method, fault);
	if (ended.status === 'fulfilled') throw new Error('expected a failure');
	const { message, description, error } = await failureOf(Promise.reject(ended.reason as Error));
	const isDoubted = !NOTHING_DONE.some(([row]) => row === fault);
	expect(`${message} ${description}`).toMatch(says);
	expect(mayHaveActed(error)).toBe(isDoubted);
	expect(/may still have been created/.test(description)).toBe(method === 'POST' && isDoubted);
	if (/^\d/.test(fault.name)) expect(statusOf(error)).toBe(parseInt(fault.name, 10));
	if (fault.acts) expectDone(method, after);
	else expect(after).toEqual(before);
});
