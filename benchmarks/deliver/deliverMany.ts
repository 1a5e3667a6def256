import { Agent, request } from 'node:http';

const TIME_LIMIT_MS = 120_000;

/**
 * Delivers that many bodies over a number of kept-alive connections, each sending its next one when the
 * last one was answered, as a service that waits for answers does.
 *
 * @param url of this machine
 * @returns accepted deliveries per second, the connections always busy
 * @throws Error when one of them is not accepted
 */
export async function deliverMany(
	url: string,
	nextBody: () => Buffer,
	{ count, connections }: { count: number; connections: number },
): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	let left = count;
	const connection = async (): Promise<void> => {
		while (left-- > 0) await deliver(url, nextBody(), agent);
	};
	const start = performance.now();
	try {
		await Promise.all(Array.from({ length: connections }, connection));
	} finally {
		agent.destroy();
	}
	return (count * 1000) / (performance.now() - start);
}

/** With the content type that a running service was seen to use. */
async function deliver(url: string, body: Buffer, agent: Agent): Promise<void> {
	const status = await new Promise<number | undefined>((resolve, reject) => {
		const headers = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': body.length };
		const sending = request(url, { method: 'POST', agent, headers, timeout: TIME_LIMIT_MS });
		sending.on('error', reject);
		sending.on('timeout', () => sending.destroy(new Error('A delivery was not answered.')));
		sending.on('response', (response) => {
			response.resume();
			response.on('end', () => resolve(response.statusCode));
		});
		sending.end(body);
	});
	if (status !== 200) throw new Error(`A delivery was answered ${status}.`);
}
