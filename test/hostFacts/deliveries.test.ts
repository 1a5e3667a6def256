import { fact, onProbedHost } from './support/probedHost';

const MEBIBYTE = 1024 * 1024;

const host = onProbedHost();

/** Delivers to a published workflow. */
async function deliver(...delivery: [query: string, { type?: string; body?: string }?]) {
	return await host.deliver(await host.address(await host.active()), ...delivery);
}

fact(
	'trigger/delivery, trigger/subscription, node files',
	'With an empty responseData n8n asks for webhookResponse before it answers, answers with it, and saves the static data that were changed meanwhile',
	async () => {
		const workflow = await host.active();
		const mark = host.n8n.log.mark();
		const answer = await deliver('start');
		expect(answer).toEqual({ status: 200, body: { status: 'started' } });
		const events = host.reports(workflow, mark).map(({ event }) => event);
		expect(events.indexOf('asked')).toBeGreaterThanOrEqual(0);
		expect(events.indexOf('end')).toBeGreaterThan(events.indexOf('asked'));
		const { body } = await deliver('look');
		expect(body.staticData).toMatchObject({ object: { value: 'first' } });
	},
);

fact(
	'trigger/delivery',
	'A body of any other type, or none, is not read until readRawBody is called, which gives rawBody and encoding',
	async () => {
		const body = '{"a":1}';
		const type = 'application/vnd.mail; charset=iso-8859-1';
		const other = await deliver('readRawBody', { type, body });
		expect(other.body).toMatchObject({ body: null, raw: body, encoding: 'iso-8859-1' });
		expect((await deliver('readRawBody', { body })).body.raw).toBe(body);
		const form = { type: 'application/x-www-form-urlencoded', body: 'a=1' };
		expect((await deliver('readRawBody', form)).body.raw).toBe('a=1');
	},
);

fact(
	'trigger/delivery',
	'readRawBody throws an error with the status 413 if the body is larger than N8N_PAYLOAD_SIZE_MAX',
	async () => {
		const large = { type: 'application/octet-stream', body: 'a'.repeat(1.5 * MEBIBYTE) };
		const answer = await deliver('readRawBody', large);
		expect(answer).toMatchObject({ status: 200, body: { status: 413 } });
	},
);
