import { statusOf } from '../../../nodes/EmailIdentity/api/errors';
import { createService, type EmailIdentityService } from '../../../nodes/EmailIdentity/api/service';
import { startSandbox, type FaultRule, type Sandbox } from '../../../sandbox';
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
	/** Requests that fail for it; the others are repeated, or need not be. */
	fails: readonly string[];
	/** What the error says. */
	says?: RegExp;
	/** Whether the error of a creation says that it may have been done. */
	isDoubted?: boolean;
	/** Whether the service did what it was asked, although the fault hid that. */
	acts?: boolean;
}

/** Long enough for a machine under load to answer in. */
const SHORT = 1500;

const status = (code: number, more: object = {}): FaultRule => ({
	answer: { type: 'status', status: code, ...more },
});
const RETRY_AFTER = { headers: { 'retry-after': '0.1' } };

const FAULTS: readonly Fault[] = [
	{ name: 'connection refused', fails: METHODS, says: /cannot be reached/ },
	{
		name: 'reset before the service acted',
		rule: { answer: { type: 'drop' } },
		fails: ['POST'],
		says: /connection to the service broke/,
		isDoubted: true,
	},
	{
		name: 'reset after the service acted',
		rule: { answer: { type: 'drop' }, acts: true },
		fails: ['POST'],
		says: /connection to the service broke/,
		isDoubted: true,
		acts: true,
	},
	{
		name: 'no answer in time',
		rule: { delayAfter: 4 * SHORT },
		timeout: SHORT,
		fails: ['POST'],
		says: /took too long/,
		isDoubted: true,
		acts: true,
	},
	{
		name: 'an answer that trickles in',
		rule: { answer: { type: 'trickle', chunkBytes: 1, intervalMilliseconds: SHORT } },
		timeout: SHORT,
		fails: ['POST'],
		says: /took too long/,
		isDoubted: true,
		acts: true,
	},
	{ name: '401', rule: status(401), fails: METHODS, says: /refused the API key/ },
	{ name: '403', rule: status(403), fails: METHODS, says: /no access|not allowed/ },
	{ name: '404', rule: status(404), fails: METHODS, says: /was not found/ },
	{ name: '409', rule: status(409), fails: METHODS, says: /conflict/ },
	{ name: '422', rule: status(422), fails: METHODS, says: /invalid/ },
	{ name: '429 with Retry-After', rule: status(429, RETRY_AFTER), fails: [] },
	{ name: '429', rule: status(429), fails: [] },
	{
		name: '500',
		rule: status(500),
		fails: METHODS,
		says: /internal error|could not create/,
		isDoubted: true,
	},
	{
		name: '502',
		rule: status(502),
		fails: ['POST'],
		says: /not available/,
		isDoubted: true,
	},
	{ name: '503 with Retry-After', rule: status(503, RETRY_AFTER), fails: [] },
	{
		name: '503 of a proxy after the service acted',
		rule: { ...status(503), acts: true },
		fails: ['POST'],
		says: /not available/,
		isDoubted: true,
		acts: true,
	},
	{
		name: '504',
		rule: status(504),
		fails: ['POST'],
		says: /not available/,
		isDoubted: true,
	},
	{
		name: 'a web page with 200',
		rule: { answer: { type: 'html' } },
		fails: METHODS,
		says: /cannot be read/,
		isDoubted: true,
	},
	{
		name: 'truncated JSON',
		rule: { answer: { type: 'truncatedJson' } },
		fails: METHODS,
		says: /cannot be read/,
		isDoubted: true,
		acts: true,
	},
	{
		name: 'a redirect to another origin',
		rule: { answer: { type: 'redirect', location: 'https://elsewhere.example/api' } },
		fails: METHODS,
		says: /another address.*elsewhere\.example/s,
	},
	{
		name: 'a wrong content type',
		rule: { answer: { type: 'contentType', contentType: 'text/html' } },
		fails: [],
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

const outcomes = FAULTS.flatMap((fault) => METHODS.map((method) => ({ fault, method })));

test.each(outcomes)('$method meets $fault.name', async ({ fault, method }) => {
	const sandbox = sandboxes.get(method)!;
	sandbox.replaceState({ webhooks: [] });
	const { id } = sandbox.addWebhook({ url: HOOK, description: 'Made by hand' });
	const before = sandbox.webhooks();
	if (fault.rule) sandbox.addFault({ ...fault.rule, method, count: 1 });
	else await sandbox.goDown();
	const credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.accounts.owner.apiKey };
	const retry = { ...quick, attempts: 3, timeout: fault.timeout ?? 30_000 };
	const service = createService(contextFor('', undefined, credential), { retry });
	const call = REQUESTS[method]!(service, id);
	const failure = fault.fails.includes(method) ? await failureOf(call) : void (await call);
	sandbox.clearFaults();
	if (!fault.rule) await sandbox.comeBack();

	if (failure) {
		const text = `${failure.message} ${failure.description}`;
		expect(text).toMatch(fault.says!);
		expect(/may have been created/.test(text)).toBe(method === 'POST' && !!fault.isDoubted);
		if (/^\d/.test(fault.name)) expect(statusOf(failure.error)).toBe(parseInt(fault.name, 10));
	}
	const hooks = sandbox.webhooks();
	if (failure && !fault.acts) expect(hooks).toEqual(before);
	else if (method === 'PATCH') expect(hooks[0]?.description).toBe('Renamed');
	else if (method === 'DELETE') expect(hooks).toEqual([]);
	else expect(hooks.map(({ url }) => url)).toEqual(method === 'POST' ? [HOOK, NEW_HOOK] : [HOOK]);
});
