import { randomUUID } from 'node:crypto';
import { startControl } from './control';
import { Deliverer } from './deliveries';
import { dialects, type Dialect } from './dialects';
import { FaultRules } from './faults';
import { PATH_PREFIX, type InFlight, type Listening, type Surroundings } from './http';
import { Receiver, type ReceivedMail } from './mail';
import { Outbox } from './outbox';
import { Recording } from './recording';
import type { Service } from './call';
import { completeIdentity, completeWebhook, seedState } from './seed';
import { Servers } from './servers';
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
	SentEmail,
	StoredAccount,
	StoredIdentity,
	StoredWebhook,
} from './types';

type AccountName = 'owner' | 'other';

/** An account with its identities. */
export interface ShownAccount extends Omit<StoredAccount, 'name'> {
	identities: Array<Pick<StoredIdentity, 'id' | 'kind' | 'status' | 'value'>>;
}

const HOST = 'http://127.0.0.1';

const DEFAULTS: Required<SandboxOptions> = {
	httpPort: 0,
	smtpPort: 0,
	controlPort: 0,
	dialect: 'observed',
	extraIdentities: 0,
	recordings: 10_000,
	collectionDelayMs: 5,
};

/** Can also be called over HTTP at `controlUrl` (see README.md). */
const CONTROL_METHODS = [
	'addFault',
	'addIdentity',
	'addWebhook',
	'clearFaults',
	'clearRecordings',
	'comeBack',
	'deliver',
	'deliveries',
	'deliveriesSettled',
	'dumpState',
	'editWebhook',
	'goDown',
	'inFlight',
	'receiveMail',
	'removeIdentity',
	'removeWebhook',
	'repeatDelivery',
	'replaceState',
	'requests',
	'rotateKey',
	'sentEmails',
	'setDialect',
	'setLatency',
	'webhooks',
] as const;

/** @throws when a port is in use (`code` is `EADDRINUSE`); then nothing is left running */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = new Sandbox({ ...DEFAULTS, ...options });
	await sandbox.start();
	return sandbox;
}

/** The running stand-in for the service. */
export class Sandbox {
	private readonly store: Store;

	/** A copy, because its switches can be changed. */
	private readonly switches: Dialect;

	private readonly service: Service;

	private readonly surroundings: Surroundings;

	private readonly requestLog: Recording<RequestRecord>;

	private readonly deliveryLog: Recording<DeliveryRecord>;

	private readonly sentLog: Recording<SentEmail>;

	private readonly deliverer: Deliverer;

	private readonly receiver: Receiver;

	private readonly outbox: Outbox;

	private readonly servers: Servers;

	private control: Listening | undefined;

	constructor(private readonly options: Required<SandboxOptions>) {
		const { recordings, collectionDelayMs, httpPort, smtpPort } = options;
		this.store = new Store(seedState(options.extraIdentities));
		this.switches = { ...dialects[options.dialect] };
		this.requestLog = new Recording('request', recordings);
		this.deliveryLog = new Recording('delivery', recordings);
		this.sentLog = new Recording('sent email', recordings);
		this.deliverer = new Deliverer(this.store, this.switches, this.deliveryLog, collectionDelayMs);
		this.receiver = new Receiver(this.store, this.switches, this.deliverer);
		this.outbox = new Outbox(this.receiver, this.switches, this.sentLog, collectionDelayMs);
		this.service = {
			store: this.store,
			dialect: this.switches,
			oddities: {},
			outbox: this.outbox,
		};
		this.surroundings = {
			service: this.service,
			faults: new FaultRules(),
			requests: this.requestLog,
			inFlight: { now: 0, max: 0 },
			latencyMs: 0,
		};
		this.servers = new Servers(this.surroundings, this.receiver, {
			http: httpPort,
			smtp: smtpPort,
		});
	}

	/** Called once, by `startSandbox`. */
	async start(): Promise<void> {
		await this.servers.start();
		try {
			this.control = await startControl(this, CONTROL_METHODS, this.options.controlPort);
		} catch (error) {
			await this.goDown();
			throw error;
		}
	}

	/** Closes everything at once, open connections too. */
	async stop(): Promise<void> {
		this.requestLog.close();
		this.deliveryLog.close();
		this.sentLog.close();
		await Promise.all([this.goDown(), this.control?.close()]);
	}

	/** `http://127.0.0.1:40001/api` */
	get baseUrl(): string {
		return `${HOST}:${this.servers.ports.http}${PATH_PREFIX}`;
	}

	get controlUrl(): string {
		return `${HOST}:${this.control?.port}`;
	}

	get smtpPort(): number {
		return this.servers.ports.smtp;
	}

	/** The two accounts as they are now. */
	get accounts(): Record<AccountName, ShownAccount> {
		return { owner: this.showAccount('owner'), other: this.showAccount('other') };
	}

	get dialect(): Dialect {
		return { ...this.switches };
	}

	/** The service refuses connections (HTTP and SMTP); control calls still work. */
	async goDown(): Promise<void> {
		this.deliverer.stop();
		await this.servers.stop();
	}

	/** The service accepts connections again on the same ports, with the same data. */
	async comeBack(): Promise<void> {
		await this.servers.start();
	}

	/** Changes some switches of the dialect. */
	setDialect(changes: Partial<Dialect>): Dialect {
		Object.assign(this.switches, changes);
		return this.dialect;
	}

	/** Replaces those set before. */
	setOddities(oddities: Oddities): void {
		this.service.oddities = { ...oddities };
	}

	/** @returns its ID, which the records of requests name */
	addFault(rule: FaultRule): string {
		return this.surroundings.faults.add(rule);
	}

	clearFaults(): void {
		this.surroundings.faults.clear();
	}

	/** Sets how long every answer takes. */
	setLatency(latencyMs: number): void {
		this.surroundings.latencyMs = latencyMs;
	}

	/** Requests under way; `max` since the start or the last `clearRecordings`. */
	inFlight(): InFlight {
		return { ...this.surroundings.inFlight };
	}

	requests(filter?: (request: RequestRecord) => boolean): RequestRecord[] {
		return this.requestLog.list(filter);
	}

	deliveries(filter?: (delivery: DeliveryRecord) => boolean): DeliveryRecord[] {
		return this.deliveryLog.list(filter);
	}

	/** The emails that were sent through the service. */
	sentEmails(filter?: (email: SentEmail) => boolean): SentEmail[] {
		return this.sentLog.list(filter);
	}

	clearRecordings(): void {
		this.requestLog.clear();
		this.deliveryLog.clear();
		this.sentLog.clear();
		const { inFlight } = this.surroundings;
		inFlight.max = inFlight.now;
	}

	/** Resolves with the first recorded or future one that fits; rejects after the time-out. */
	async waitForRequest(
		fits: (request: RequestRecord) => boolean,
		timeoutMs?: number,
	): Promise<RequestRecord> {
		return await this.requestLog.waitFor(fits, timeoutMs);
	}

	/** Resolves with the first recorded or future one that fits; rejects after the time-out. */
	async waitForDelivery(
		fits: (delivery: DeliveryRecord) => boolean,
		timeoutMs?: number,
	): Promise<DeliveryRecord> {
		return await this.deliveryLog.waitFor(fits, timeoutMs);
	}

	/** Resolves with the first recorded or future one that fits; rejects after the time-out. */
	async waitForSent(fits: (email: SentEmail) => boolean, timeoutMs?: number): Promise<SentEmail> {
		return await this.sentLog.waitFor(fits, timeoutMs);
	}

	/** Resolves when no email is being sent and no delivery is under way. */
	async deliveriesSettled(): Promise<void> {
		await this.outbox.settled();
		await this.deliverer.settled();
	}

	/** Receives an email as by SMTP, or from an account. @throws when no identity matches a recipient */
	async receiveMail(raw: string | Uint8Array, mail: MailOptions): Promise<ReceivedMail> {
		return await this.receiver.receive(Buffer.from(raw), mail);
	}

	/** Delivers at once, in every dialect. */
	async deliver(order: DeliveryOrder): Promise<DeliveryRecord[]> {
		return await this.deliverer.deliver(order);
	}

	/** Sends the same message to the same URL again. */
	async repeatDelivery(deliveryId: string): Promise<DeliveryRecord> {
		return await this.deliverer.repeat(deliveryId);
	}

	dumpState(): SandboxState {
		return this.store.dump();
	}

	/** Replaces the given lists, and keeps the others. */
	replaceState(state: Partial<SandboxState>): void {
		this.store.replace(state);
	}

	webhooks(): StoredWebhook[] {
		return structuredClone(this.store.webhooks);
	}

	/** Adds a webhook as if a user had created it in the service: `owner` without an owner. */
	addWebhook(given: Partial<StoredWebhook> & Pick<StoredWebhook, 'url'>): StoredWebhook {
		const { id = this.store.newWebhookId(this.switches) } = given;
		const webhook = completeWebhook({ ...this.belongings(given.ownerId), ...given, id });
		return structuredClone(this.store.putWebhook(webhook));
	}

	editWebhook(id: string, changes: Partial<StoredWebhook>): StoredWebhook {
		const webhook = this.webhookOf(id);
		const updatedAt = new Date().toISOString();
		return structuredClone(this.store.putWebhook({ ...webhook, updatedAt, ...changes, id }));
	}

	removeWebhook(id: string): void {
		this.store.removeWebhook(this.webhookOf(id).id);
	}

	/** Adds an identity, of `owner` without an owner. */
	addIdentity(given: Partial<StoredIdentity> & Pick<StoredIdentity, 'value'>): StoredIdentity {
		const id = randomUUID();
		const identity = completeIdentity({ id, ...this.belongings(given.ownerId), ...given });
		this.store.identities.push(identity);
		return structuredClone(identity);
	}

	/** The dialect decides whether subscriptions keep their restriction to it. */
	removeIdentity(id: string): void {
		const identity = found(this.store.identity(id), `identity ${id}`);
		this.store.removeIdentity(identity.id, this.switches);
	}

	/** The old key stops working. Returns the new one. */
	rotateKey(name: AccountName): string {
		const apiKey = `sandbox-${name}-${randomUUID()}`;
		this.store.account(name).apiKey = apiKey;
		return apiKey;
	}

	private webhookOf(id: string): StoredWebhook {
		return found(this.store.webhook(id), `webhook ${id}`);
	}

	private belongings(
		ownerId = this.store.account('owner').userId,
	): Pick<StoredWebhook, 'ownerId' | 'workspaceId'> & Pick<StoredIdentity, 'workspaceId'> {
		const account = this.store.accounts.find(({ userId }) => userId === ownerId);
		const { workspaceId } = account ?? this.store.account('owner');
		return { ownerId, workspaceId };
	}

	private showAccount(name: AccountName): ShownAccount {
		const { userId, email, workspaceId, apiKey } = this.store.account(name);
		const identities: ShownAccount['identities'] = [];
		for (const { ownerId, id, kind, value, status } of this.store.identities) {
			if (ownerId === userId) identities.push({ id, kind, value, status });
		}
		return { userId, email, workspaceId, apiKey, identities };
	}
}
