import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What npm sends when it publishes: the manifest, and the tarball in base64. */
interface Publication {
	name: string;
	versions: Record<string, Record<string, unknown>>;
	_attachments: Record<string, { data: string }>;
}

/** A registry that takes whatever it is given, and remembers it. */
export interface Registry {
	/** Options for npm to publish there, as a user who may. */
	options: string[];
	publications: Publication[];
	stop(): Promise<void>;
}

/** Starts one on a free port of this machine. */
export async function startRegistry(): Promise<Registry> {
	const publications: Publication[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (request.method === 'PUT') {
				publications.push(JSON.parse(Buffer.concat(chunks).toString()) as Publication);
			}
			response.writeHead(request.method === 'PUT' ? 201 : 404, {
				'content-type': 'application/json',
			});
			response.end('{}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		options: [`--registry=http://${host}`, `--//${host}/:_authToken=a-user`],
		publications,
		stop: () => new Promise((resolve) => server.close(() => resolve())),
	};
}

/** The paths in a published tarball. */
export function filesIn({ _attachments }: Publication): string[] {
	const [{ data }] = Object.values(_attachments) as [{ data: string }];
	const input = Buffer.from(data, 'base64');
	return execFileSync('tar', ['-tz'], { input, encoding: 'utf8' }).trim().split('\n');
}
