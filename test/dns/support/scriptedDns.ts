import type { IncomingMessage, ServerResponse } from 'node:http';

import { decode, encode, type Answer } from 'dns-packet';

import type { DnsRecordType } from '../../../lib/dns/resolver/packet';
import { startScriptedServer } from '../../host/api/support/scriptedServer';
import { createZoneResolver, type Zones } from '../../unit/lib/dns/support/zoneResolver';

const SERVFAIL = 2;
const NXDOMAIN = 3;

/** RFC 1035, section 3.3. */
const MAX_TEXT_BYTES = 255;

export interface ScriptedDns {
	/** For the field DNS Resolver. */
	readonly address: string;
	/** The questions in order: `example.com TXT`. */
	readonly asked: string[];
	/** May be changed at any time. */
	readonly zones: Zones;
	/** The HTTP status of all answers. */
	status: number;
	stop(): Promise<void>;
}

/**
 * A DNS resolver over HTTP (RFC 8484) in this process. It serves the zones in memory.
 *
 * @param seconds time to live of the records; with 0 a changed zone is visible at once
 */
export async function startScriptedDns(
	zones: Zones,
	{ seconds = 60 }: { seconds?: number } = {},
): Promise<ScriptedDns> {
	const inMemory = createZoneResolver(zones);
	const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const query = new URL(request.url ?? '/', 'http://localhost').searchParams.get('dns') ?? '';
		const { id, questions = [] } = decode(Buffer.from(query, 'base64url'));
		const [question] = questions;
		if (question === undefined) throw new Error('The query has no question.');
		const { name } = question;
		const type = question.type as DnsRecordType;
		const answer = await inMemory.ask(name, type);
		const codes = { found: 0, noData: 0, noSuchName: NXDOMAIN, failed: SERVFAIL };
		const answers =
			answer.status === 'found'
				? answer.records.map((data) => ({ name, type, ttl: seconds, data: wireData(type, data) }))
				: [];
		const message = encode({
			type: 'response',
			id,
			flags: codes[answer.status],
			questions,
			answers: answers as Answer[],
		});
		response.writeHead(dns.status, { 'content-type': 'application/dns-message' });
		response.end(message);
	};
	const server = await startScriptedServer(
		(request, response) => void reply(request, response).catch(() => response.destroy()),
	);
	const dns: ScriptedDns = {
		address: `${server.origin}/dns-query`,
		asked: inMemory.asked,
		zones: inMemory.zones,
		status: 200,
		stop: server.stop,
	};
	return dns;
}

/** A text is written in strings of up to 255 bytes. */
function wireData(type: DnsRecordType, data: string): unknown {
	if (type === 'MX') {
		const [preference, exchange] = data.split(' ');
		return { preference: Number(preference), exchange };
	}
	if (type !== 'TXT') return data;
	const bytes = Buffer.from(data);
	const count = Math.max(1, Math.ceil(bytes.length / MAX_TEXT_BYTES));
	return Array.from({ length: count }, (_, index) =>
		bytes.subarray(index * MAX_TEXT_BYTES, (index + 1) * MAX_TEXT_BYTES),
	);
}
