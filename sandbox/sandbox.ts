import { randomUUID } from 'node:crypto';
import { startControl } from './control';
import { Deliverer } from './deliveries';
import { dialects, type Dialect } from './dialects';
import { FaultRules } from './faults';
import { PATH_PREFIX, startHttp, type Listening, type Surroundings } from './http';
import { Receiver, startSmtp } from './mail';
import { Recording } from './recording';
import type { Service } from './routes';
import { completeIdentity, completeWebhook, seedState } from './seed';
import { found, Store } from './store';
import type {
	DeliveryOrder,
	DeliveryRecord,
	FaultRule,
	MailOptions,
	Oddities,
	RequestRecord,
	SandboxOptions,
	SandboxState,
	StoredIdentity,
	StoredWebhook,
} from './types';

/** The running stand-in for the service. Its methods can also be called over HTTP at `controlUrl` (see README.md). */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

type AccountName = 'owner' | 'other';

const HOST = 'http://127.0.0.1';

const defaults = {
	httpPort: 0,
	smtpPort: 0,
	controlPort: 0,
	dialect: 'observed' as const,
	extraIdentities: 0,
	recordings: 10_000,
	collectionDelayMs: 5,
};

/** @throws when a port is in use (`code` is `EADDRINUSE`); then nothing is left running */
export async function startSandbox(given: SandboxOptions = {}) {
	const options = { ...defaults, ...given };
	const { recordings } = options;
	const store = new Store(seedState(options.extraIdentities));
	// A copy, because its switches can be changed.
	const dialect: Dialect = { ...dialects[options.dialect] };
	const service: Service = { store, dialect, oddities: {} };
	const faults = new FaultRules();
	const requests = new Recording<RequestRecord>('request', recordings);
	const deliveries = new Recording<DeliveryRecord>('delivery', recordings);
	const inFlight = { now: 0, max: 0 };
	const surroundings: Surroundings = { service, faults, requests, inFlight, latencyMs: 0 };
	const deliverer = new Deliverer(store, dialect, deliveries, options.collectionDelayMs);
	const receiver = new Receiver(store, dialect, deliverer);
	const servers = serversOf(surroundings, receiver, deliverer, options);
	await servers.start();

	/** Webhooks and identities that are added without an owner belong to the account `owner`. */
	const belongings = ({ ownerId = store.account('owner').userId }: { ownerId?: string }) => {
		const account = store.accounts.find(({ userId }) => userId === ownerId);
		return { ownerId, workspaceId: (account ?? store.account('owner')).workspaceId };
	};
	const webhookOf = (id: string) => found(store.webhook(id), `webhook ${id}`);

	const methods = {
		/** The service refuses connections (HTTP and SMTP); control calls still work. */
		goDown: servers.stop,
		/** The service accepts connections again on the same ports, with the same data. */
		comeBack: servers.start,

		/** Changes some switches of the dialect. */
		setDialect: (changes: Partial<Dialect>) => ({ ...Object.assign(dialect, changes) }),
		/** @returns its ID, which the records of requests name */
		addFault: (rule: FaultRule) => faults.add(rule),
		clearFaults: () => faults.clear(),
		/** Sets how long every answer takes. */
		setLatency(latencyMs: number) {
			surroundings.latencyMs = latencyMs;
		},

		/** Requests under way; `max` since the start or the last `clearRecordings`. */
		inFlight: () => ({ ...inFlight }),
		requests: (filter?: (request: RequestRecord) => boolean) => requests.list(filter),
		deliveries: (filter?: (delivery: DeliveryRecord) => boolean) => deliveries.list(filter),
		clearRecordings() {
			requests.clear();
			deliveries.clear();
			inFlight.max = inFlight.now;
		},
		/** Resolves when no delivery is under way. */
		deliveriesSettled: () => deliverer.settled(),

		/** Receives an email as by SMTP, or from an account. Throws when no identity matches a recipient. */
		receiveMail: (raw: string | Uint8Array, mail: MailOptions) =>
			receiver.receive(Buffer.from(raw), mail),
		/** Delivers at once, in every dialect. */
		deliver: (order: DeliveryOrder) => deliverer.deliver(order),
		/** Sends the same message to the same URL again. */
		repeatDelivery: (deliveryId: string) => deliverer.repeat(deliveryId),

		dumpState: () => store.dump(),
		/** Replaces the given lists, and keeps the others. */
		replaceState: (state: Partial<SandboxState>) => store.replace(state),
		webhooks: () => structuredClone(store.webhooks),
		/** Adds a webhook as if a user had created it in the service. */
		addWebhook(webhook: Partial<StoredWebhook> & Pick<StoredWebhook, 'url'>): StoredWebhook {
			const { id = store.newWebhookId(dialect) } = webhook;
			const complete = completeWebhook({ ...belongings(webhook), ...webhook, id });
			return structuredClone(store.putWebhook(complete));
		},
		editWebhook(id: string, changes: Partial<StoredWebhook>): StoredWebhook {
			const updatedAt = new Date().toISOString();
			return structuredClone(store.putWebhook({ ...webhookOf(id), updatedAt, ...changes, id }));
		},
		removeWebhook: (id: string) => store.removeWebhook(webhookOf(id).id),
		addIdentity(given: Partial<StoredIdentity> & Pick<StoredIdentity, 'value'>): StoredIdentity {
			const identity = completeIdentity({ id: randomUUID(), ...belongings(given), ...given });
			store.identities.push(identity);
			return structuredClone(identity);
		},
		/** The dialect decides whether subscriptions keep their restriction to it. */
		removeIdentity: (id: string) =>
			store.removeIdentity(found(store.identity(id), `identity ${id}`).id, dialect),
		/** The old key stops working. Returns the new one. */
		rotateKey: (name: AccountName) =>
			(store.account(name).apiKey = `sandbox-${name}-${randomUUID()}`),
	};

	let control: Listening;
	try {
		control = await startControl(methods, options.controlPort);
	} catch (error) {
		await servers.stop();
		throw error;
	}
	return {
		...methods,
		/** `http://127.0.0.1:40001/api` */
		get baseUrl() {
			return `${HOST}:${servers.ports.httpPort}${PATH_PREFIX}`;
		},
		controlUrl: `${HOST}:${control.port}`,
		get smtpPort() {
			return servers.ports.smtpPort;
		},
		/** The two accounts as they are now. */
		get accounts() {
			return { owner: summarise(store, 'owner'), other: summarise(store, 'other') };
		},
		get dialect(): Dialect {
			return { ...dialect };
		},
		/** Replaces those set before. */
		setOddities(oddities: Oddities) {
			service.oddities = { ...oddities };
		},
		/** Resolves with the first recorded or future one that fits; rejects after the time-out. */
		waitForRequest: (fits: (request: RequestRecord) => boolean, timeoutMs?: number) =>
			requests.waitFor(fits, timeoutMs),
		waitForDelivery: (fits: (delivery: DeliveryRecord) => boolean, timeoutMs?: number) =>
			deliveries.waitFor(fits, timeoutMs),
		/** Closes everything at once, open connections too. */
		async stop() {
			requests.close();
			deliveries.close();
			await Promise.all([servers.stop(), control.close()]);
		},
	};
}

function summarise(store: Store, name: AccountName) {
	const { userId, email, workspaceId, apiKey } = store.account(name);
	const identities = store.identities
		.filter(({ ownerId }) => ownerId === userId)
		.map(({ id, kind, value, status }) => ({ id, kind, value, status }));
	return { userId, email, workspaceId, apiKey, identities };
}

/** The service's two servers, which go down and come back together and on the same ports. */
function serversOf(
	surroundings: Surroundings,
	receiver: Receiver,
	deliverer: Deliverer,
	{ httpPort, smtpPort }: Required<SandboxOptions>,
) {
	const ports = { httpPort, smtpPort };
	let running: Listening[] = [];
	let life = new AbortController();
	const stop = async (): Promise<void> => {
		const closing = running.map((server) => server.close());
		running = [];
		deliverer.stop();
		await Promise.all(closing);
		life.abort();
	};
	/** @throws when a port is in use; then nothing is left running */
	const start = async (): Promise<void> => {
		if (running.length > 0) return;
		life = new AbortController();
		try {
			const http = await startHttp(surroundings, ports.httpPort, life.signal);
			running.push(http);
			const smtp = await startSmtp(receiver, ports.smtpPort);
			running.push(smtp);
			Object.assign(ports, { httpPort: http.port, smtpPort: smtp.port });
		} catch (error) {
			await stop();
			throw error;
		}
	};
	return { ports, start, stop };
}
