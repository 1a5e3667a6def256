import pLimit from 'p-limit';
import { completeNode, until, type StoredWorkflow } from '../support/n8n';
import { eventOf, isAccepted } from '../e2e/support/deliveries';
import { installExample } from '../e2e/support/examples';
import { startOtherServer, type OtherServer } from '../e2e/support/otherServer';
import { onStage, webhookPath } from '../e2e/support/stage';
import {
	executionsInPostgres,
	sayResults,
	noteStarts,
	repeated,
	say,
	tally,
	untilWorkedOff,
} from './support/counting';
import {
	byMessage,
	reasonFor,
	faultsDuring,
	lastMoments,
	planStream,
	recorded,
	seededRandom,
	SIZE,
	type Planned,
	type Sent,
} from './support/load';
import { QueueHost } from './support/queueHost';

const HOUR_MS = 3_600_000;
const MAX_ROUNDS = 5;

let host: QueueHost;
/** Gets a request for each message that the workflow has handled. */
let outside: OtherServer;
let workflow: StoredWorkflow;

const stage = onStage({
	isStory: true,
	start: async () => {
		say('starting Redis, PostgreSQL, a main, two webhook processors, two workers');
		host = await QueueHost.start({
			environment: {
				QUEUE_WORKER_LOCK_DURATION: String(SIZE.lockMs),
				QUEUE_WORKER_LOCK_RENEW_TIME: String(SIZE.lockMs / 6),
				QUEUE_WORKER_STALLED_INTERVAL: String(SIZE.lookMs),
			},
		});
		return host.main;
	},
});

beforeAll(async () => {
	outside = await startOtherServer();
	await noteStarts(host.postgres.database);
	workflow = await installStrictlyOnce();
	await host.main.workflows.activate(workflow.id);
	for (const { port } of host.helpersOf('webhook')) {
		const url = `http://127.0.0.1:${port}${webhookPath(workflow)}`;
		await until(
			`the webhook processor at port ${port} knows the workflow`,
			async () => (await fetch(url, { method: 'POST' })).status === 401,
		);
	}
});

afterAll(async () => {
	await host?.stop();
	await outside?.stop();
});

/** The example for queue mode, and a node behind it that sends each result out of n8n. */
async function installStrictlyOnce(): Promise<StoredWorkflow> {
	const { credentials, workflows } = host.main;
	const { id } = await installExample(stage, 'strictly-once');
	const place = { host: '127.0.0.1', port: host.redis.port, database: 0 };
	const redis = await credentials.create('redis', { ...place, user: '', password: '', ssl: false });
	await workflows.updateNode(id, 'Count in Redis', { credentials: { redis } });
	const { nodes, connections } = await workflows.get(id);
	const last = completeNode({
		name: 'Tell Outside',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { method: 'POST', url: `=${outside.url}/{{ $json.id }}`, options: {} },
	});
	const toLast = { main: [[{ node: last.name, type: 'main' as const, index: 0 }]] };
	return await workflows.update(id, {
		nodes: [...nodes, last],
		connections: { ...connections, 'Handle Email': toLast },
	});
}

let turn = 0;

/** The service delivers to a given webhook processor or, as a load balancer does, to the next one that is ready. */
const deliver = async (
	id: string,
	address: string,
	body: string,
	certain?: 0 | 1,
): Promise<Sent> => {
	const processors = host.helpersOf('webhook');
	const ready = certain === undefined ? processors.filter(({ isReady }) => isReady) : processors;
	const { port } = ready[(certain ?? turn++) % ready.length]!;
	const url = Object.assign(new URL(address), { port }).href;
	return await recorded(id, async () => {
		const [delivery] = await stage.sandbox.deliver({ url, body });
		return { status: delivery?.status ?? undefined, receiver: port };
	});
};

const send = async (url: string, { id, kind }: Planned): Promise<Sent[]> => {
	const event = eventOf(id);
	if (kind === 'single') return [await deliver(id, url, event)];
	return await Promise.all([deliver(id, url, event, 0), deliver(id, url, event, 1)]);
};

const kill = { receiver: 0, at: 0 };

/** Each process fails once: a worker and a webhook processor are killed, the others restarted. */
const FAULTS = [
	() => host.helpersOf('worker')[0]!.crash(),
	async () => {
		const [first] = host.helpersOf('webhook');
		Object.assign(kill, { receiver: first!.port, at: performance.now() });
		await first!.crash();
	},
	() => host.redis.restart(),
	async () => {
		await stage.sandbox.goDown();
		await stage.sandbox.comeBack();
	},
	() => host.main.restart(),
];

test(
	`no message of ${SIZE.messages + SIZE.repeats} deliveries is lost, although each process fails once`,
	async () => {
		const { database } = host.postgres;
		const { url } = stage.subscription(workflow);
		const stream = planStream(seededRandom());
		const during = faultsDuring(stream.length, FAULTS);
		const atOnce = pLimit(SIZE.connections);
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
		await during.allOver();

		say('repeating what was not accepted');
		const expected = [...new Set(stream.map(({ id }) => id))];
		const accepted = () => new Set(sent.filter(isAccepted).map(({ id }) => id));
		for (let round = 1; round <= MAX_ROUNDS; round++) {
			const known = accepted();
			const missed = expected.filter((id) => !known.has(id));
			const again = missed.map((id) => atOnce(() => deliver(id, url, eventOf(id))));
			sent.push(...(await Promise.all(again)));
		}

		say('waiting for the workers');
		await untilWorkedOff(database, workflow.id);
		const executions = await executionsInPostgres(database, workflow.id);

		const started = tally(executions.map(({ message }) => message));
		const lost = [...accepted()].filter((id) => !started.has(id));
		const isInLastMoments = lastMoments(sent.filter(isAccepted), kill);
		const reasons = tally(
			[...byMessage(sent)]
				.filter(([id]) => (started.get(id) ?? 0) > 1)
				.map(([, deliveries]) => reasonFor(deliveries, isInLastMoments)),
		);
		const results = tally(outside.requests.map(({ path }) => decodeURIComponent(path.slice(1))));
		const startedTwiceApart = reasons.get('apart') ?? 0;
		const handledTwice = repeated(results);
		sayResults({
			'messages accepted': accepted().size,
			'messages answered 2xx without an execution': lost.length,
			'messages started twice, their deliveries apart in time': startedTwiceApart,
			'messages started twice, first answered with a 5xx or not at all':
				reasons.get('unanswered') ?? 0,
			'messages started twice, first taken by a webhook processor in its last moments':
				reasons.get('killed') ?? 0,
			'messages started twice, copies at the same instant at both processors':
				reasons.get('together') ?? 0,
			'pairs of such copies': stream.filter(({ kind }) => kind === 'together').length,
			'messages with two results of strictly-once': handledTwice,
			'messages without a result of strictly-once': expected.filter((id) => !results.has(id))
				.length,
		});

		expect(accepted().size).toBe(SIZE.messages);
		expect(lost).toEqual([]);
		expect(startedTwiceApart).toBe(0);
		expect(results.size).toBeGreaterThan(SIZE.messages / 2);
		expect(handledTwice).toBe(0);
	},
	HOUR_MS,
);
