import { randomUUID } from 'node:crypto';
import { startControl } from './control';
import { Deliverer } from './deliveries';
import { type Dialect, dialects, resolveDialect } from './dialects';
import { FaultRules, Flow } from './faults';
import type { Environment } from './http/request';
import { startHttp } from './http/server';
import { Receiver, startSmtp } from './mail';
import { Recording } from './recording';
import { completeIdentity, seedState } from './seed';
import { completeWebhook, MessageStore, Store } from './store';
import type {
	AccountSummary,
	DeliveryRecord,
	RequestRecord,
	Sandbox,
	SandboxOptions,
} from './types';

const defaults = {
	dialect: 'observed',
	httpPort: 0,
	smtpPort: 0,
	controlPort: 0,
	host: '127.0.0.1',
	pathPrefix: '/api',
	extraIdentities: 0,
	recordings: 10_000,
	messageLimit: 10_000,
	messageCharacterLimit: 256 * 1024 * 1024,
	deliveryTimeout: 120_000,
	collectionDelay: 5,
} as const;

interface Parts {
	environment: Environment;
	deliveries: Recording<DeliveryRecord>;
	deliverer: Deliverer;
	receiver: Receiver;
}

/**
 * Starts the stand-in for the service: its HTTP API, its SMTP server and the control endpoint.
 *
 * @throws when a port is in use (`code` is `EADDRINUSE`); then nothing is left running
 */
export async function startSandbox(given: SandboxOptions = {}): Promise<Sandbox> {
	const options = { ...defaults, ...given };
	const { host, pathPrefix, recordings } = options;
	const messages = new MessageStore(options.messageLimit, options.messageCharacterLimit);
	const store = new Store(options.state ?? seedState(options.extraIdentities), messages);
	const dialect = resolveDialect(options.dialect);
	const requests = new Recording<RequestRecord>('request', recordings);
	const deliveries = new Recording<DeliveryRecord>('delivery', recordings);
	const environment: Environment = {
		...{ store, dialect, requests, pathPrefix },
		...{ paging: { size: null }, faults: new FaultRules(), flow: new Flow(), oddities: {} },
	};
	const deliverer = new Deliverer(store, dialect, deliveries, {
		timeout: options.deliveryTimeout,
		limit: recordings,
		collectionDelay: options.collectionDelay,
	});
	const receiver = new Receiver(store, deliverer, dialect);
	const parts = { environment, deliveries, deliverer, receiver };
	const service = new Service(parts, options);
	await service.start();

	let control = { port: options.controlPort, close: async () => {} };
	const sandbox: Sandbox = {
		get baseUrl() {
			return `http://${host}:${service.httpPort}${pathPrefix}`;
		},
		get controlUrl() {
			return `http://${host}:${control.port}`;
		},
		get httpPort() {
			return service.httpPort;
		},
		get smtpPort() {
			return service.smtpPort;
		},
		get controlPort() {
			return control.port;
		},
		get accounts() {
			return { owner: summarise(store, 'owner'), other: summarise(store, 'other') };
		},
		get dialect() {
			return { ...dialect };
		},
		async stop() {
			requests.close();
			deliveries.close();
			await Promise.all([service.stop(), control.close()]);
		},
		goDown: () => service.stop(),
		crash: () => service.stop({ isCrash: true }),
		comeBack: () => service.start(),
		...controls(parts),
	};
	try {
		control = await startControl(sandbox, { host, port: options.controlPort });
	} catch (error) {
		await service.stop();
		throw error;
	}
	return sandbox;
}

/** What a test, or a person in the service's own pages, does behind the API's back. */
function controls({ environment, deliveries, deliverer, receiver }: Parts): Controls {
	const { store, dialect, faults, flow, requests } = environment;
	/** What was made without naming an owner belongs to the account `owner`. */
	const belongings = (given: { ownerId?: string }) => {
		const owner = store.account('owner');
		const account = store.accounts.find(({ userId }) => userId === given.ownerId) ?? owner;
		return { ownerId: given.ownerId ?? owner.userId, workspaceId: account.workspaceId };
	};
	return {
		// In place: everything that speaks holds this very object.
		setDialect: (changes) => ({
			...Object.assign(dialect, typeof changes === 'string' ? preset(changes) : changes),
		}),
		addFault: (rule) => faults.add(rule),
		listFaults: () => faults.list(),
		removeFault: (id) => faults.remove(id),
		clearFaults: () => faults.clear(),
		setLimits: (limits) => {
			flow.limits = { ...flow.limits, ...limits };
			return { ...flow.limits };
		},
		setPaging: (paging) => {
			environment.paging = { ...paging };
		},
		setOddities: (oddities) => {
			environment.oddities = { ...oddities };
		},
		inFlight: () => flow.inFlight(),

		requests: (filter) => requests.list(filter),
		deliveries: (filter) => deliveries.list(filter),
		clearRecordings: () => {
			requests.clear();
			deliveries.clear();
			deliverer.forget();
			flow.resetMax();
		},
		waitForRequest: (predicate, timeout) => requests.waitFor(predicate, timeout),
		waitForDelivery: (predicate, timeout) => deliveries.waitFor(predicate, timeout),
		deliveriesSettled: () => deliverer.settled(),
		receiveMail: (raw, options) => receiver.receive(Buffer.from(raw), options),
		deliver: (order) => deliverer.deliver(order),
		repeatDelivery: async (deliveryId) => deliverer.repeat(deliveryId),

		dumpState: () => store.dump(),
		replaceState: (state) => store.replace(state),
		webhooks: () => structuredClone(store.webhooks),
		addWebhook: (given) => {
			const webhook = completeWebhook({ ...belongings(given), ...given });
			store.putWebhook(webhook);
			return structuredClone(webhook);
		},
		editWebhook: (id, changes) => {
			const webhook = found(store.webhook(id), `webhook ${id}`);
			const updatedAt = new Date().toISOString();
			const changed = { ...webhook, updatedAt, ...changes, id };
			store.putWebhook(changed);
			return structuredClone(changed);
		},
		removeWebhook: (id) => {
			found(store.removeWebhook(id) || undefined, `webhook ${id}`);
		},
		addIdentity: (given) => {
			const identity = completeIdentity({ id: randomUUID(), ...belongings(given), ...given });
			store.setIdentities([...store.identities, identity]);
			return structuredClone(identity);
		},
		editIdentity: (id, changes) => {
			const changed = { ...found(store.identity(id), `identity ${id}`), ...changes, id };
			store.setIdentities(store.identities.map((one) => (one.id === id ? changed : one)));
			return structuredClone(changed);
		},
		removeIdentity: (id) => {
			found(store.identity(id), `identity ${id}`);
			store.removeIdentity(id, dialect);
		},
		editAccount: (name, changes) =>
			structuredClone(Object.assign(store.account(name), changes, { name })),
		rotateKey: (name) => {
			const account = store.account(name);
			account.apiKey = `sandbox-${name}-${randomUUID()}`;
			return account.apiKey;
		},
	};
}

type Controls = Omit<
	Sandbox,
	| ('baseUrl' | 'controlUrl' | 'httpPort' | 'smtpPort' | 'controlPort' | 'accounts' | 'dialect')
	| ('stop' | 'goDown' | 'crash' | 'comeBack')
>;

function preset(name: keyof typeof dialects): Dialect {
	return found(dialects[name], `dialect "${name}"`);
}

function found<Found>(value: Found | undefined, what: string): Found {
	if (value === undefined) throw new Error(`There is no ${what}.`);
	return value;
}

function summarise(store: Store, name: 'owner' | 'other'): AccountSummary {
	const { userId, email, workspaceId, apiKey } = store.account(name);
	const identities = store.identities
		.filter(({ ownerId }) => ownerId === userId)
		.map(({ id, kind, value, status }) => ({ id, kind, value, status }));
	return { userId, email, workspaceId, apiKey, identities };
}

/** The service's two servers, which go down and come back together and on the same ports. */
class Service {
	httpPort: number;
	smtpPort: number;
	private readonly host: string;
	private running: { close: () => Promise<void> }[] = [];
	private life = new AbortController();

	constructor(
		private readonly parts: Parts,
		{ host, httpPort, smtpPort }: { host: string; httpPort: number; smtpPort: number },
	) {
		this.host = host;
		this.httpPort = httpPort;
		this.smtpPort = smtpPort;
	}

	/** @throws when a port is in use; then nothing is left running */
	async start(): Promise<void> {
		if (this.running.length > 0) return;
		const { host, parts } = this;
		const { environment, receiver, deliverer } = parts;
		this.life = new AbortController();
		try {
			const address = { host, port: this.httpPort };
			const http = await startHttp(environment, address, this.life.signal);
			this.running.push(http);
			const { store, dialect } = environment;
			const smtp = await startSmtp({ store, dialect, receiver }, { host, port: this.smtpPort });
			this.running.push(smtp);
			this.httpPort = http.port;
			this.smtpPort = smtp.port;
			deliverer.resume();
		} catch (error) {
			await this.stop();
			throw error;
		}
	}

	/** @param isCrash what was not finished is not forgotten, where the dialect repeats it */
	async stop({ isCrash = false } = {}): Promise<void> {
		const closing = this.running.map((server) => server.close());
		this.running = [];
		this.parts.deliverer.abort({ isCrash });
		await Promise.all(closing);
		this.life.abort();
	}
}
