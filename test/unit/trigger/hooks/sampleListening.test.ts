import { sleep } from 'n8n-workflow';

import type { HookRequest } from '../../../../nodes/EmailIdentity/trigger/state/hookRequest';
import { SampleListening } from '../../../../nodes/EmailIdentity/trigger/hooks/sampleListening';
import { deriveSecret, secretOfUrl } from '../../../../nodes/EmailIdentity/shared/secret';
import { SAMPLE_MS } from '../../../../nodes/EmailIdentity/trigger/times';

jest.mock('n8n-workflow', () => ({ ...jest.requireActual('n8n-workflow'), sleep: jest.fn() }));

const ADDRESS = 'http://localhost:5678/webhook-test/0a1b/webhook';
const NODE = { instanceId: 'this-n8n', webhookPath: '0a1b' };

interface Call {
	url: string;
	sample: string;
}

let calls: Call[];
let lines: string[];
/** n8n listens at its test URL. */
let n8nListens: () => void;

beforeEach(() => {
	calls = [];
	lines = [];
	jest
		.mocked(sleep)
		.mockImplementation(async () => await new Promise<void>((resolve) => (n8nListens = resolve)));
});

/** @param answer what is behind n8n's test URL */
function requestTo(answer: (sample: string) => unknown): HookRequest {
	const post: HookRequest['post'] = async (url, body, timeout) => {
		const { sample } = body as { sample: string };
		calls.push({ url, sample });
		expect(timeout).toBe(SAMPLE_MS.request);
		return await Promise.resolve(answer(sample));
	};
	const request = {
		endpoint: { ...NODE, listening: 'test', address: ADDRESS, deliveryUrl: '', name: 'Flow' },
		service: () => ({ credential: async () => await Promise.resolve({ apiKey: 'key' }) }),
		log: (_level: string, message: string) => void lines.push(message),
		failure: (reason: unknown) => new Error(String(reason)),
		post,
	};
	return request as unknown as HookRequest;
}

const READY = { status: 'ready' };

const failing = (code: string) => () => {
	throw Object.assign(new Error(code), { code });
};

test('n8n announces the sample email to itself, and sends it when it listens', async () => {
	const listening = new SampleListening();
	await listening.begin(requestTo(() => READY));
	expect(calls.map(({ sample }) => sample)).toEqual(['announce']);
	n8nListens();
	await new Promise(setImmediate);
	expect(calls.map(({ sample }) => sample)).toEqual(['announce', 'send']);
	for (const { url } of calls) {
		expect(url.startsWith(ADDRESS)).toBe(true);
		expect(secretOfUrl(url)).toBe(deriveSecret('key', { ...NODE, listening: 'test' }));
	}
});

test('only while n8n listens for a sample email, and once, there is no webhook to remove', async () => {
	const listening = new SampleListening();
	expect(listening.end(ADDRESS)).toBe(false);
	await listening.begin(requestTo(() => READY));
	expect(listening.end(`${ADDRESS}/other`)).toBe(false);
	expect([listening.end(ADDRESS), listening.end(ADDRESS)]).toEqual([true, false]);
});

test.each<[string, (sample: string) => unknown, RegExp]>([
	['nothing answers', failing('ECONNREFUSED'), /cannot reach/],
	['another program answers', () => '<html>', /cannot reach/],
	['nobody says anything', () => undefined, /cannot reach/],
])(
	'if %s at the URL, listening fails, and there is a webhook to remove',
	async (_, answer, says) => {
		const listening = new SampleListening();
		await expect(listening.begin(requestTo(answer))).rejects.toThrow(says);
		expect(listening.end(ADDRESS)).toBe(false);
	},
);

test('if the email does not arrive after the announcement, the log says why', async () => {
	const answer = (sample: string) => (sample === 'send' ? failing('ECONNRESET')() : READY);
	await new SampleListening().begin(requestTo(answer));
	n8nListens();
	await new Promise(setImmediate);
	expect(lines).toEqual([expect.stringContaining('localhost:5678')]);
	expect(lines.join()).not.toContain('token=');
});
