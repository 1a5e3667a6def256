import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { decode, encode, type Answer, type RecordType } from 'dns-packet';

import { createZoneResolver, type Zones } from '../../../unit/dns/zoneResolver';
import type { DnsRecordType } from '../../../../nodes/EmailIdentity/dns/resolver';

const SERVFAIL = 2;
const NXDOMAIN = 3;

export interface DohServer {
	/** What the field DNS Resolver takes. */
	address: string;
	/** What was asked, in order: `example.com TXT`. */
	asked: string[];
	/** What is there may change meanwhile. */
	zones: Zones;
	/** Names that get no answer at all. */
	silent: Set<string>;
	/** The HTTP status of all answers. */
	status: number;
	stop(): Promise<void>;
}

/** A text is written in strings of 255 bytes (RFC 1035, 3.3.14). */
const dataOf = (data: unknown): unknown =>
	typeof data === 'string' ? (data.match(/[^]{1,255}/g) ?? ['']) : data;

/** A resolver that answers over HTTP (RFC 8484) out of zones in memory, and fails as a test wants it. */
export async function startDohServer(zones: Zones): Promise<DohServer> {
	const inMemory = createZoneResolver(zones);
	const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const query = new URL(request.url ?? '/', 'http://localhost').searchParams.get('dns') ?? '';
		const { id, questions = [] } = decode(Buffer.from(query, 'base64url'));
		const [{ name, type } = { name: '', type: 'TXT' as RecordType }] = questions;
		const answer = await inMemory.ask(name, type as DnsRecordType);
		if (server.silent.has(name)) return;
		const code = { noSuchName: NXDOMAIN, serverFailure: SERVFAIL, unreachable: SERVFAIL };
		const answers =
			answer.status === 'found'
				? answer.records.map((data) => ({ name, type, ttl: 60, data: dataOf(data) }) as Answer)
				: [];
		const message = encode({
			type: 'response',
			id,
			flags: answer.status in code ? code[answer.status as keyof typeof code] : 0,
			questions,
			answers,
		});
		response.writeHead(server.status, { 'content-type': 'application/dns-message' });
		response.end(message);
	};
	const http = createServer(
		(request, response) => void reply(request, response).catch(() => response.destroy()),
	);
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	const { port } = http.address() as AddressInfo;
	const server: DohServer = {
		address: `http://127.0.0.1:${port}/dns-query`,
		asked: inMemory.asked,
		zones: inMemory.zones,
		silent: new Set(),
		status: 200,
		stop: async () => {
			http.closeAllConnections();
			await new Promise<void>((resolve) => http.close(() => resolve()));
		},
	};
	return server;
}
