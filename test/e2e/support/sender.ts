/** One delivery: what was sent, and the status of the answer; undefined when none came. */
export interface Sent {
	id: string;
	status: number | undefined;
}

/**
 * Delivers an event with the content type that a running service was seen to use.
 *
 * @returns the status; undefined when the connection failed
 */
export async function post(url: string, body: string): Promise<number | undefined> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'text/plain;charset=UTF-8' },
			body,
		});
		await response.arrayBuffer();
		return response.status;
	} catch {
		return undefined;
	}
}

/** Sends in the given order, that many at a time. */
export async function sendAll(
	ids: readonly string[],
	atATime: number,
	send: (id: string) => Promise<number | undefined>,
): Promise<Sent[]> {
	const waiting = [...ids];
	const sent: Sent[] = [];
	const worker = async () => {
		for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
			sent.push({ id, status: await send(id) });
		}
	};
	await Promise.all(Array.from({ length: atATime }, worker));
	return sent;
}

export const isAccepted = ({ status }: Sent): boolean =>
	status !== undefined && status >= 200 && status < 300;

/** Another order, the same for the same seed. */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
	const result = [...values];
	let state = seed;
	for (let index = result.length - 1; index > 0; index--) {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		const other = state % (index + 1);
		[result[index], result[other]] = [result[other] as T, result[index] as T];
	}
	return result;
}
