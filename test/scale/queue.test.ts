import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { until, type StoredWorkflow } from '../e2e/driver';
import { startSandbox, type Sandbox } from '../../sandbox';
import { CREDENTIAL_TYPE, credentialData } from '../e2e/support/deployment';
import { eventOf } from '../e2e/support/emails';
import { subscriptionOf, webhookPath } from '../e2e/support/triggers';
import {
	countEndResults,
	executionsInPostgres,
	noteStarts,
	shown,
	tally,
	untilWorkedOff,
	type EndResults,
} from './counting';
import {
	byMessage,
	chosenSeed,
	chosenSize,
	excuseFor,
	faultsDuring,
	isAccepted,
	lastMoments,
	percentile,
	planStream,
	randomFrom,
	recorded,
	story,
	type Answer,
	type Excuse,
	type Kill,
	type Planned,
	type Sent,
} from './load';
import { DELIVERY, FIRST_TARGET } from './roundRobinProxy';
import { QueueHost } from './queueHost';
import { keepResults, say } from './results';
import { strictlyOnce } from './strictlyOnce';

const HOUR = 3_600_000;
const DELIVERY_TIMEOUT_MS = 120_000;
const MOST_ROUNDS = 5;

const size = chosenSize();
const cleanUps: (() => Promise<void>)[] = [];

let host: QueueHost;
let sandbox: Sandbox;
let endResults: EndResults;
let workflow: StoredWorkflow;

beforeAll(async () => {
	endResults = await countEndResults();
	cleanUps.push(() => endResults.stop());
	sandbox = await startSandbox({ dialect: 'observed', deliveryTimeout: DELIVERY_TIMEOUT_MS });
	cleanUps.push(() => sandbox.stop());
	say('starting Redis, PostgreSQL, a main, two webhook processors, two workers');
	host = await QueueHost.start({
		environment: {
			QUEUE_WORKER_LOCK_DURATION: String(size.lock),
			QUEUE_WORKER_LOCK_RENEW_TIME: String(size.lock / 6),
			QUEUE_WORKER_STALLED_INTERVAL: String(size.look),
		},
	});
	cleanUps.push(() => host.stop());
	const { credentials, workflows } = host.main;
	const service = await credentials.create(CREDENTIAL_TYPE, credentialData(sandbox));
	const redis = await credentials.create('redis', {
		host: '127.0.0.1',
		port: host.redis.port,
		database: 0,
		user: '',
		password: '',
		ssl: false,
	});
	await noteStarts(host.postgres.database);
	workflow = await workflows.create(strictlyOnce(service, redis, endResults.url));
});

afterAll(async () => {
	for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Makes the service deliver, to a certain webhook processor if told so. */
const deliver = async (url: string, body: string, processor?: 0 | 1): Promise<Answer> => {
	const name = randomUUID();
	const headers: Record<string, string> = {
		[DELIVERY]: name,
		...(processor === undefined ? {} : { [FIRST_TARGET]: String(processor) }),
	};
	const [delivery] = await sandbox.deliver({ url, body, headers });
	return {
		status: delivery?.status ?? undefined,
		answer: delivery?.error ?? delivery?.responseBody ?? '',
		receiver: host.proxy.receiverOf(name),
	};
};

const withoutSecret = (url: string): string => url.replace(/token=[^&]+/, 'token=guessed');

const send = async (url: string, { id, kind }: Planned): Promise<Sent[]> => {
	const event = eventOf(id);
	const one = async (address: string, body = event, processor?: 0 | 1) =>
		await recorded(id, () => deliver(address, body, processor));
	if (kind === 'single') return [await one(url)];
	if (kind === 'forged') return [await one(withoutSecret(url))];
	if (kind === 'malformed') return [await one(url, event.slice(0, -10))];
	return await Promise.all([one(url, event, 0), one(url, event, 1)]);
};

const kills: Kill[] = [];

const faults = () => [
	{ name: 'a worker is killed', strike: () => host.workers[0].crash() },
	{
		name: 'a webhook processor is killed',
		strike: async () => {
			const [first] = host.processors;
			kills.push({ receiver: first.port, at: performance.now() });
			await first.crash();
		},
	},
	{ name: 'Redis is restarted', strike: () => host.redis.restart() },
	{
		name: 'the service is restarted',
		strike: async () => {
			await sandbox.goDown();
			await sandbox.comeBack();
		},
	},
	{ name: 'the main is restarted', strike: () => host.main.restart() },
];

test('an activation on the main is known to the webhook processors', async () => {
	const path = webhookPath(workflow);
	const statuses = async () =>
		await Promise.all(
			host.processors.map(
				async ({ port }) =>
					(await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' })).status,
			),
		);
	expect(await statuses()).toEqual([404, 404]);

	await host.main.workflows.activate(workflow.id);

	await until(async () => (await statuses()).every((status) => status === 401), {
		describe: 'both webhook processors know the workflow, and refuse who has no secret',
	});
	expect(new URL(subscriptionOf(sandbox, workflow).url).pathname).toBe(path);
});

test(
	`${size.messages + size.repeats} deliveries of ${size.messages} messages, while everything fails once`,
	async () => {
		const { database } = host.postgres;
		const { url } = subscriptionOf(sandbox, workflow);
		const random = randomFrom(chosenSeed());
		const stream = planStream(size, random);
		const during = faultsDuring(stream.length, faults(), say);
		const atOnce = pLimit(size.connections);
		const start = performance.now();
		say(
			`${stream.length} places in the stream, processors at ${host.processors.map(({ port }) => port).join(' and ')}`,
		);
		const sent = (
			await Promise.all(
				stream.map((planned, place) =>
					atOnce(async () => {
						await during.before(place);
						return await send(url, planned);
					}),
				),
			)
		).flat();
		const seconds = (performance.now() - start) / 1_000;
		await during.allOver();

		say('repeating what was not accepted');
		const expected = new Set(
			stream.filter(({ id }) => id.startsWith('scale-')).map(({ id }) => id),
		);
		for (let round = 1; round <= MOST_ROUNDS; round++) {
			const accepted = new Set(sent.filter(isAccepted).map(({ id }) => id));
			const missed = [...expected].filter((id) => !accepted.has(id));
			const single = (id: string): Planned => ({ id, kind: 'single' });
			const again = missed.map((id) => atOnce(() => send(url, single(id))));
			sent.push(...(await Promise.all(again)).flat());
		}

		say('waiting for the workers');
		const unfinished = await untilWorkedOff(database, workflow.id, size);
		const before = await executionsInPostgres(database, workflow.id);

		say('repeating messages of long ago, at both webhook processors');
		const old = [...expected].slice(-size.afterwards);
		const afterwards = (
			await Promise.all(
				old.map((id) =>
					atOnce(async () => [
						await recorded(id, () => deliver(url, eventOf(id), 0)),
						await recorded(id, () => deliver(url, eventOf(id), 1)),
					]),
				),
			)
		).flat();
		await untilWorkedOff(database, workflow.id, size, unfinished);
		const executions = await executionsInPostgres(database, workflow.id);

		const started = tally(executions.map(({ message }) => message));
		const messages = byMessage([...sent, ...afterwards]);
		const accepted = [...messages].filter(
			([id, deliveries]) => expected.has(id) && deliveries.some(isAccepted),
		);
		const startedBefore = tally(before.map(({ message }) => message));
		const isInLastMoments = lastMoments(sent, kills, size.connections);
		const startedTwice = [...byMessage(sent)]
			.filter(([id]) => (startedBefore.get(id) ?? 0) > 1)
			.map(([id, deliveries]) => ({
				id,
				deliveries,
				excuse: excuseFor(deliveries, isInLastMoments),
			}));
		for (const { id, deliveries, excuse } of startedTwice) {
			if (excuse !== 'together') say(`${excuse}: ${story(id, deliveries, start)}`);
		}
		const excuses = tally(startedTwice.map(({ excuse }) => excuse));
		const multiple = (excuse: Excuse) => excuses.get(excuse) ?? 0;
		const statuses = tally(executions.map(({ status }) => status));
		const handled = tally(endResults.messages);
		const lost = accepted.filter(([id]) => !started.has(id));
		const numbers = {
			'deliveries that a service would make': size.messages + size.repeats,
			'messages in them': size.messages,
			'connections at once': size.connections,
			'taken, a second, faults included': Number((sent.length / seconds).toFixed(1)),
			'answered within, half of them (ms)': percentile(sent, 0.5),
			'answered within, 99 of 100 (ms)': percentile(sent, 0.99),
			'deliveries without a 2xx while something failed': sent.filter(
				(delivery) => expected.has(delivery.id) && !isAccepted(delivery),
			).length,
			'messages accepted in the end': accepted.length,
			'messages answered 2xx without an execution': lost.length,
			'executions for what was refused': [...started.keys()].filter((id) =>
				id?.startsWith('refused-'),
			).length,
			'messages started twice, their deliveries apart in time': multiple('apart'),
			'messages started twice, first answered with a 5xx or not at all': multiple('unanswered'),
			'messages started twice, first taken by a webhook processor in its last moments':
				multiple('killed'),
			'messages started twice, copies at the same instant at both processors': multiple('together'),
			'pairs of such copies': stream.filter(({ kind }) => kind === 'together').length,
			'messages started again long after': executions.length - before.length,
			'repeats long after': afterwards.length,
			'end results twice with the strict example': [...handled.values()].filter(
				(count) => count > 1,
			).length,
			'messages without an end result with the strict example': accepted.filter(
				([id]) => !handled.has(id),
			).length,
			'executions that ended well': statuses.get('success') ?? 0,
			'executions that failed, crashed or were cancelled': ['error', 'crashed', 'canceled'].reduce(
				(sum, status) => sum + (statuses.get(status) ?? 0),
				0,
			),
			'of these, executions that n8n forgot the email of': executions.filter(
				({ isForgotten }) => isForgotten,
			).length,
			'executions that n8n left unfinished': unfinished,
		};
		keepResults('queue', numbers);
		say(`answers: ${shown(tally(sent.map(({ status }) => status)))}`);
		say(`executions: ${shown(tally(executions.map(({ status, failure }) => failure ?? status)))}`);

		expect(accepted).toHaveLength(size.messages);
		expect(lost.map(([id]) => id)).toEqual([]);
		expect(numbers['executions for what was refused']).toBe(0);
		expect(numbers['messages started twice, their deliveries apart in time']).toBe(0);
		expect(numbers['end results twice with the strict example']).toBe(0);
	},
	HOUR,
);
