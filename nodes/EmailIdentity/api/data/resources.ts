import { isObject, parseJson, type Entry } from './json';

const snakeCases = new Map<string, string>();

/** Remembered, because lists have thousands of entries with the same names. */
function snakeCase(name: string): string {
	const known = snakeCases.get(name);
	if (known !== undefined) return known;
	const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	snakeCases.set(name, snake);
	return snake;
}

/** @param name in camelCase, as services send it; the contract has snake_case */
export function readField(entry: Entry, name: string): unknown {
	return entry[name] ?? entry[snakeCase(name)] ?? undefined;
}

function readString(entry: Entry, name: string): string | null {
	const value = readField(entry, name);
	if (value === undefined || value === '') return null;
	return String(value);
}

/** JSON that some deployments send as text (contract, section 2.2: also the text `null`). */
function readJson(entry: Entry, name: string): unknown {
	const value = readField(entry, name);
	if (typeof value !== 'string') return value ?? null;
	const parsed = parseJson(value);
	if (parsed) return parsed.value;
	if (value.trim() === '') return null;
	return value;
}

/** Reads a flag as services, spreadsheets and expressions write it. @returns null for everything else */
export function readFlag(value: unknown): boolean | null {
	const word = String(value).trim().toLowerCase();
	if (/^(?:true|1|yes|on)$/.test(word)) return true;
	if (/^(?:false|0|no|off)$/.test(word)) return false;
	return null;
}

/** The owner of an API key. */
export interface User {
	/** Called `userId` in the contract (section 2.1), `id` by a running service. */
	userId: string;
	email: string | null;
}

export function toUser(entry: Entry): User {
	return {
		userId: readString(entry, 'userId') ?? String(entry.id),
		email: readString(entry, 'email'),
	};
}

/** An address or a domain (contract, section 2.2), with additional fields of running services. Null is missing or empty. */
export interface Identity {
	id: string;
	/** The address or the domain. */
	value: string | null;
	kind: string | null;
	status: string | null;
	displayName: string | null;
	/** Whether other users of the service may use it; null if the service does not support sharing. */
	sharedWithWorkspace: boolean | null;
	ownerId: string | null;
	publicId: string | null;
	incomingDomain: boolean | null;
	/** The identity of the domain of an address. */
	domainIdentityId: string | null;
	/** The service's own list, unchanged. */
	dnsRecords: unknown;
	meta: unknown;
	providerId: string | null;
	smtpAccountId: string | null;
	/** ISO 8601, or unchanged text. */
	createdAt: string | null;
	updatedAt: string | null;
}

/** For unknown kinds, the value decides. */
export function isDomainIdentity({ kind, value }: Pick<Identity, 'kind' | 'value'>): boolean {
	const name = kind?.toLowerCase();
	if (name === 'domain') return true;
	if (name === 'email' || value === null) return false;
	// A domain may start with an at sign.
	return !/.@/.test(value);
}

/** Services name the provider of an address in its metadata: `google`, or `inbound` if they receive for it themselves. */
export function hasProvider({ meta }: Pick<Identity, 'meta'>, name: string): boolean {
	return isObject(meta) && String(meta.provider).toLowerCase() === name;
}

export function toIdentity(entry: Entry): Identity {
	return {
		id: String(entry.id),
		value: readString(entry, 'value'),
		kind: readString(entry, 'kind'),
		status: readString(entry, 'status'),
		displayName: readString(entry, 'displayName'),
		sharedWithWorkspace: readFlag(readField(entry, 'sharedWithWorkspace')),
		ownerId: readString(entry, 'ownerId'),
		publicId: readString(entry, 'publicId'),
		incomingDomain: readFlag(readField(entry, 'incomingDomain')),
		domainIdentityId: readString(entry, 'domainIdentityId'),
		dnsRecords: readJson(entry, 'dnsRecords'),
		meta: readJson(entry, 'meta') ?? readJson(entry, 'metaData'),
		providerId: readString(entry, 'providerId'),
		smtpAccountId: readString(entry, 'smtpAccountId'),
		createdAt: toIsoTime(readField(entry, 'createdAt')),
		updatedAt: toIsoTime(readField(entry, 'updatedAt')),
	};
}

/** A required DNS record, as running services list it (not in the contract). Null is missing or empty. */
export interface ListedDnsRecord {
	type: string | null;
	/** In full, without the domain, or `@`; null for the domain itself in some services. */
	name: string | null;
	value: string | null;
	/** The priority of an MX record, if it is not part of the value. */
	priority: string | null;
	note: string | null;
}

export function toListedDnsRecord(entry: Entry): ListedDnsRecord {
	return {
		type: readString(entry, 'type'),
		name: readString(entry, 'name'),
		value: readString(entry, 'value'),
		priority: readString(entry, 'priority'),
		note: readString(entry, 'note'),
	};
}

/** Owner of a message or a subscription. Null if the service does not show it; the contract shows neither. */
export interface Account {
	ownerId: string | null;
	workspaceId: string | null;
}

/** A subscription (contract, section 2.4). */
export interface Webhook extends Account {
	id: string;
	/** Empty if the service does not show it. */
	url: string;
	events: string[];
	/** Null if unknown. */
	enabled: boolean | null;
	/** Null for all identities. */
	identityId: string | null;
	description: string | null;
	/** ISO 8601, or unchanged text. */
	createdAt: string | null;
	updatedAt: string | null;
}

export function toWebhook(entry: Entry): Webhook {
	const events = readField(entry, 'events');
	return {
		id: String(entry.id),
		url: readString(entry, 'url') ?? '',
		events: Array.isArray(events) ? events.map(String) : [],
		enabled: readFlag(readField(entry, 'enabled')),
		identityId: readString(entry, 'identityId'),
		...readAccount(entry),
		description: readString(entry, 'description'),
		createdAt: toIsoTime(readField(entry, 'createdAt')),
		updatedAt: toIsoTime(readField(entry, 'updatedAt')),
	};
}

/** A webhook that someone wants to create (contract, section 2.4). */
export interface WantedWebhook {
	url: string;
	/** Names of events. */
	events: string[];
	/** Absent: all identities. */
	identityId?: string;
	/** Absent: true. */
	enabled?: boolean;
	description?: string;
}

/** A webhook to create. */
export interface NewWebhook extends WantedWebhook {
	/** The API key's user. */
	ownerId: string;
}

/** Fields of a webhook to change, or as they should be. Omitted fields are left unchanged. */
export interface WebhookChanges {
	url?: string;
	/** Names of events. */
	events?: string[];
	/** Null removes the restriction to one identity. */
	identityId?: string | null;
	enabled?: boolean;
	description?: string;
}

export type WebhookField = keyof WebhookChanges;

export function tellsIdentity(webhook: Entry): boolean {
	return Object.hasOwn(webhook, 'identityId') || Object.hasOwn(webhook, 'identity_id');
}

export function readAccount(entry: Entry): Account {
	return {
		ownerId: readAccountId(entry, 'ownerId'),
		workspaceId: readAccountId(entry, 'workspaceId'),
	};
}

function readAccountId(entry: Entry, name: string): string | null {
	const id = readString(entry, name)?.trim();
	return id || null;
}

/** Also true if the service does not show the owner. */
export function mayBelongTo(userId: string, { ownerId }: Pick<Account, 'ownerId'>): boolean {
	return ownerId === null || isSameId(userId, ownerId);
}

export function isId(value: unknown): value is string | number {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** UUIDs may be in either case (RFC 9562, section 4). */
export function isSameId(one: string, other: string | null): boolean {
	return one.toLowerCase() === other?.toLowerCase();
}

/** The ID that a user entered; undefined if there is none. */
export function readId(entered: unknown): string | undefined {
	if (typeof entered !== 'string' && typeof entered !== 'number') return undefined;
	const id = String(entered).trim();
	if (id === '') return undefined;
	if (isUuid(id)) return id.toLowerCase();
	return id;
}

/** Undefined for an empty ID and for dot segments, which URL parsers remove even if escaped (RFC 3986, section 3.3). */
export function toPathSegment(id: string): string | undefined {
	if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) return undefined;
	return encodeURIComponent(id);
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The contract's format, `2025-11-15 10:47:23.60418+00`, and ISO 8601. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T]([\d:.]+)(Z|[+-]\d\d(?::?\d\d)?)?$/;

/** A time without an offset is in UTC. @returns null for an empty value; other text is unchanged */
export function toIsoTime(value: unknown): string | null {
	const text = typeof value === 'string' ? value.trim() : '';
	if (ISO_TIME.test(text)) return text;
	if (text === '') return null;
	const [, date, time, offset = 'Z'] = TIMESTAMP.exec(text) ?? [];
	// Dates need the minutes of an offset.
	const fullOffset = offset.replace(/^.\d\d$/, '$&:00');
	const parsed = new Date(`${date}T${time}${fullOffset}`);
	if (Number.isNaN(parsed.getTime())) return text;
	return parsed.toISOString();
}
