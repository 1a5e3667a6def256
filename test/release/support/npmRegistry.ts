import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

const NPM = 'registry.npmjs.org';

/** Replaces npm's registry for a process that is started with this environment. */
export interface NpmRegistry {
	environment: Record<string, string>;
	stop(): Promise<void>;
}

/**
 * Lets n8n use a local registry at the address of npm's registry: another address is a paid setting of n8n
 * (`N8N_COMMUNITY_PACKAGES_REGISTRY`). n8n and its npm use a proxy that knows no other host and leads to a server with a
 * certificate for that name, which they trust in this run.
 */
export async function standInForNpm(registryUrl: string): Promise<NpmRegistry> {
	const folder = mkdtempSync(join(tmpdir(), 'email-identity-npm-'));
	const certificate = makeCertificate(folder);
	const registry = createSecureServer(certificate, (incoming, outgoing) => {
		const { method, url, headers } = incoming;
		// Verdaccio uses these for the URLs of tarballs.
		const forwarded = { ...headers, host: NPM, 'x-forwarded-proto': 'https' };
		const onwards = request(`${registryUrl}${url}`, { method, headers: forwarded }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onwards.once('error', () => outgoing.destroy());
		incoming.pipe(onwards);
	});
	const registryPort = await listen(registry);
	const proxy = createServer((_, response) => response.writeHead(502).end());
	const tunnelEnds = new Set<Duplex>();
	proxy.on('connect', ({ url }, socket) => {
		socket.on('error', () => socket.destroy());
		if (url !== `${NPM}:443`) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		const tunnel = connect(registryPort, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			tunnel.pipe(socket).pipe(tunnel);
		});
		for (const end of [socket, tunnel]) {
			end.on('error', () => (socket.destroy(), tunnel.destroy()));
			tunnelEnds.add(end.once('close', () => tunnelEnds.delete(end)));
		}
		return undefined;
	});
	const address = `http://127.0.0.1:${await listen(proxy)}`;
	return {
		environment: {
			HTTPS_PROXY: address,
			https_proxy: address,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
		},
		stop: async () => {
			// They are no longer connections of the proxy, which would wait for their end.
			for (const end of tunnelEnds) end.destroy();
			for (const server of [registry, proxy]) {
				server.closeAllConnections();
				await new Promise((resolve) => server.close(resolve));
			}
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function makeCertificate(folder: string): { key: Buffer; cert: Buffer } {
	const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
	const name = ['-subj', `/CN=${NPM}`, '-addext', `subjectAltName=DNS:${NPM}`];
	const files = ['-keyout', key, '-out', certificate];
	execFileSync(
		'openssl',
		['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...name, ...files],
		{ stdio: 'ignore' },
	);
	return { key: readFileSync(key), cert: readFileSync(certificate) };
}

async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}
