import { mayHaveBeenDone, statusOf } from '../../../nodes/EmailIdentity/api/failures/errors';
import { EmailIdentityService } from '../../../nodes/EmailIdentity/api/service';
import { startSandbox, type FaultRule, type Sandbox } from '../../../sandbox';
import { contextFor, failureOf, quick } from './support/connection';

const HOOK = 'https://receiver.example/hook';
const NEW_HOOK = 'https://new.example/hook';

/** A request of each kind: repeating it is safe for some and not for others. */
const REQUESTS: Record<string, (service: EmailIdentityService, id: string) => Promise<unknown>> = {
	GET: async (service) => await service.listWebhooks(),
	PATCH: async (service, id) => await service.updateWebhook(id, { description: 'Renamed' }),
	DELETE: async (service, id) => await service.deleteWebhook(id),
	POST: async (service) =>
		await service.createWebhook({ url: NEW_HOOK, events: ['message.received'], ownerId: OWNER }),
};
const METHODS = Object.keys(REQUESTS);
const OWNER = '11111111-1111-4111-8111-111111111111';

/** Long enough for a machine under load to answer in. */
const SHORT = 1500;

const status = (code: number, headers = {}): FaultRule => ({
	answer: { type: 'status', status: code, headers },
});
const asksToWait = { 'retry-after': '0.1' };
const trickle = { type: 'trickle', chunkBytes: 1, intervalMilliseconds: SHORT } as const;
const redirect = { type: 'redirect', location: 'https://elsewhere.example/api' } as const;
const asText = { type: 'contentType', contentType: 'text/html' } as const;

/**
 * `refused`: the service said that it did nothing. `lasting`: repeating does not help, and a creation may have been done.
 * `passing`: requests are repeated, but for creations, which may have been done. `harmless`: the request is repeated or need
 * not be.
 */
type Kind = 'refused' | 'lasting' | 'passing' | 'harmless';

/** Without a rule, nothing listens. `acts`: the service does what it was asked, although the fault hides that. */
type Fault = [kind: Kind, name: string, rule: FaultRule | undefined, says?: RegExp];

const FAULTS: Fault[] = [
	['refused', 'a refused connection', undefined, /cannot be reached/],
	['refused', '401', status(401), /refused the API key/],
	['refused', '403', status(403), /no access|not allowed/],
	['refused', '404', status(404), /was not found/],
	['refused', '409', status(409), /conflict/],
	['refused', '422', status(422), /invalid/],
	['refused', 'a redirect', { answer: redirect }, /redirects.*elsewhere\.example/s],
	['lasting', '500', status(500), /The service failed|could not create/],
	['lasting', 'a web page', { answer: { type: 'html' } }, /cannot be read/],
	['lasting', 'half of the JSON', { answer: { type: 'truncatedJson' }, acts: true }, /be read/],
	['passing', 'a reset before', { answer: { type: 'drop' } }, /closed the connection/],
	['passing', 'a reset after', { answer: { type: 'drop' }, acts: true }, /closed the connection/],
	['passing', 'no answer in time', { delayAfter: 4 * SHORT, acts: true }, /took too long/],
	['passing', 'an answer that trickles', { answer: trickle, acts: true }, /took too long/],
	['passing', '502', status(502), /unavailable/],
	['passing', '503', status(503), /unavailable/],
	['passing', '503 of a proxy', { ...status(503), acts: true }, /unavailable/],
	['passing', '504', status(504), /unavailable/],
	['harmless', '429', status(429)],
	['harmless', '429 with Retry-After', status(429, asksToWait)],
	['harmless', '503 with Retry-After', status(503, asksToWait)],
	['harmless', 'a wrong content type', { answer: asText, acts: true }],
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

type Cell = [method: string, name: string, kind: Kind, rule: FaultRule | undefined, says: RegExp];
const cells = METHODS.flatMap((method) =>
	FAULTS.map(([kind, name, rule, says = /./]): Cell => [method, name, kind, rule, says]),
);
const succeeds = ([method, , kind]: Cell) =>
	kind === 'harmless' || (kind === 'passing' && method !== 'POST');

/** Lets the fault strike once while a request is sent. */
async function meet(method: string, rule: FaultRule | undefined) {
	const sandbox = sandboxes.get(method)!;
	sandbox.replaceState({ webhooks: [] });
	const { id } = sandbox.addWebhook({ url: HOOK, description: 'Made by hand' });
	if (rule) sandbox.addFault({ ...rule, method, count: 1 });
	else await sandbox.goDown();
	const credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.accounts.owner.apiKey };
	const isSlow = rule?.delayAfter !== undefined || rule?.answer === trickle;
	const retry = { ...quick, attempts: 3, timeout: isSlow ? SHORT : 30_000 };
	const service = new EmailIdentityService(contextFor('', undefined, credential), { retry });
	const [ended] = await Promise.allSettled([REQUESTS[method]!(service, id)]);
	sandbox.clearFaults();
	if (!rule) await sandbox.comeBack();
	return { ended, stored: sandbox.webhooks() };
}

const BEFORE = { url: HOOK, description: 'Made by hand' };

/** The subscriptions in the service after a request succeeded. */
const DONE: Record<string, object[]> = {
	GET: [BEFORE],
	PATCH: [{ ...BEFORE, description: 'Renamed' }],
	DELETE: [],
	POST: [BEFORE, { url: NEW_HOOK, description: null }],
};

test.each(cells.filter(succeeds))('%s succeeds in spite of %s', async (method, _name, _, rule) => {
	const { ended, stored } = await meet(method, rule);
	expect(ended).toMatchObject({ status: 'fulfilled' });
	expect(stored).toMatchObject(DONE[method]!);
});

test.each(cells.filter((cell) => !succeeds(cell)))(
	'%s fails for %s',
	async (method, name, kind, rule, says) => {
		const { ended, stored } = await meet(method, rule);
		const call = ended.status === 'fulfilled' ? ended.value : Promise.reject(ended.reason as Error);
		const { message, description, error } = await failureOf(Promise.resolve(call));
		const isDoubted = kind !== 'refused';
		expect(`${message} ${description}`).toMatch(says);
		expect(mayHaveBeenDone(error)).toBe(isDoubted);
		expect(/may still have been created/.test(description)).toBe(method === 'POST' && isDoubted);
		expect(String(statusOf(error))).toMatch(/^\d/.test(name) ? name.slice(0, 3) : /^/);
		expect(stored).toMatchObject(rule?.acts ? DONE[method]! : [BEFORE]);
	},
);
