import { mutatedDelivery, randomFrom, type MutatedDelivery } from './mutate';
import { startDeliveryHost, type DeliveryHost } from './deliveries';

/** `FUZZED_DELIVERIES=10000 npx jest test/host/trigger/delivery/fuzz --selectProjects host` is the full measure. */
const COUNT = Number(process.env.FUZZED_DELIVERIES ?? 300);
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
const AT_A_TIME = 10;

/** What is answered to anything at all; 422 is n8n's own answer to broken JSON. */
const ALLOWED = [200, 400, 413, 422];

let host: DeliveryHost;

beforeEach(async () => {
	host = await startDeliveryHost();
});

afterEach(async () => {
	await host.stop();
});

/** Whether a body is in the shape of the contract, told independently of the node. */
function isInShape({ body, headers }: MutatedDelivery): boolean {
	const charset = /utf-16le|latin1/.exec(headers['content-type'] ?? '')?.[0] ?? 'utf8';
	try {
		const text = body.toString(charset as BufferEncoding).replace(/^\uFEFF/, '');
		const { event, data } = JSON.parse(text) as {
			event?: unknown;
			data?: { message?: unknown; rawEmail?: unknown };
		};
		return (
			event === 'message.received' &&
			typeof data?.rawEmail === 'string' &&
			typeof data.message === 'object' &&
			data.message !== null &&
			!Array.isArray(data.message)
		);
	} catch {
		return false;
	}
}

test(
	`${COUNT} mutated deliveries: an answer to each, no failure, and nothing malformed starts the workflow`,
	async () => {
		const random = randomFrom(SEED);
		const problems: string[] = [];
		let remaining = COUNT;
		let inShape = 0;
		const sender = async () => {
			while (remaining > 0) {
				const number = remaining--;
				const delivery = mutatedDelivery(random);
				const answer = await host.post(delivery.body, {
					contentType: null,
					headers: delivery.headers,
				});
				const text = await answer.text();
				const isShaped = isInShape(delivery);
				// What claims to be compressed and is not may be refused.
				const isPlain = delivery.headers['content-encoding'] === undefined;
				if (isShaped) inShape++;
				const isStarted = answer.status === 200 && text.includes('"started"');
				if (!ALLOWED.includes(answer.status)) problems.push(`${number}: status ${answer.status}`);
				if (isStarted && !isShaped) problems.push(`${number}: malformed, yet started`);
				if (isShaped && isPlain && answer.status !== 200)
					problems.push(`${number}: in shape, yet ${answer.status}`);
			}
		};
		await Promise.all(Array.from({ length: AT_A_TIME }, sender));

		expect(problems).toEqual([]);
		expect(host.outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
		expect(JSON.stringify(host.logLines())).not.toContain('could not be processed');
		expect(inShape).toBeGreaterThan(COUNT / 50);
		expect(host.started().length).toBeGreaterThan(COUNT / 50);
		expect(host.started().length).toBeLessThanOrEqual(inShape);
	},
	30_000 + COUNT * 60,
);
