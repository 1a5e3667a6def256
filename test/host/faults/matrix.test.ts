import { startSandbox, type Sandbox } from '../../../sandbox';
import {
	ASKING_DELIVERIES,
	DELIVERY_FAULTS,
	endOfDelivery,
	type AskingDelivery,
} from './deliveries';
import { FAULTS, recover, strike, type Fault } from './faults';
import { lifecycleSteps } from './lifecycleSteps';
import { HOOK, fill, operations, type Ending, type Subject } from './operations';
import { beQuick } from './patience';

const subjects = [...operations, ...lifecycleSteps];

/** A read, a creation, a change and a removal meet every fault: the client is one for all operations. */
const IN_FULL: ReadonlySet<string> = new Set([
	'Identity: Get Many',
	'Webhook: Create',
	'Webhook: Create or Update',
	'Webhook: Update',
	'Webhook: Delete',
]);

/** Every operation and every step of a subscription meets these. */
const EVERYWHERE: ReadonlySet<string> = new Set(['reset after the service acted', '403', '500']);

let sandboxes: Map<Subject, Sandbox>;
let askedSandboxes: Map<AskingDelivery, Sandbox>;

beforeAll(async () => {
	// The dialect that has every route, single messages too.
	const started = subjects.map(
		async (subject) => [subject, await startSandbox({ dialect: 'fork' })] as const,
	);
	sandboxes = new Map(await Promise.all(started));
	const asked = ASKING_DELIVERIES.map(
		async (delivery) => [delivery, await startSandbox({ dialect: delivery.dialect })] as const,
	);
	askedSandboxes = new Map(await Promise.all(asked));
});

afterAll(async () => {
	const all = [...sandboxes.values(), ...askedSandboxes.values()];
	await Promise.all(all.map(async (sandbox) => await sandbox.stop()));
});

test.each(FAULTS)('$name', async (fault) => {
	beQuick(fault.timeout);
	const ended = await Promise.allSettled(
		subjects
			.filter(({ name }) => IN_FULL.has(name) || EVERYWHERE.has(fault.name))
			.map(async (subject) => await endOf(subject, fault)),
	);
	// Only now, so that no cell of this row goes on during the next one.
	for (const cell of ended) {
		if (cell.status === 'rejected') throw cell.reason;
	}
});

test.each(DELIVERY_FAULTS)('$name while a delivery waits', async (fault) => {
	for (const delivery of ASKING_DELIVERIES) {
		await endOfDelivery(askedSandboxes.get(delivery)!, delivery, fault);
	}
});

/** The fault strikes once, the outcome is as it should be, and so is the service afterwards. */
async function endOf(subject: Subject, fault: Fault): Promise<void> {
	const sandbox = sandboxes.get(subject);
	if (!sandbox) throw new Error('no sandbox');
	const contents = await fill(sandbox);
	await subject.prepare?.(sandbox);
	const before = sandbox.webhooks();
	sandbox.clearRecordings();
	await strike(sandbox, fault, subject.request);
	const ending = await subject.perform(sandbox, contents);
	await recover(sandbox, fault);

	const where = `${subject.name}, ${fault.name}: ${ending.failure ?? 'success'}`;
	const isDone = subject.isDone(sandbox, contents);
	if (ending.failure === undefined) {
		expect([where, isDone || isTakenForGone(subject, fault)]).toEqual([where, true]);
	} else {
		expect([where, ending.failure]).toEqual([
			where,
			expect.stringMatching(sentence(subject, fault)),
		]);
		if (!fault.acts && !isReplaced(subject, ending)) {
			expect([where, sandbox.webhooks()]).toEqual([where, before]);
		}
	}
	if (!subject.looksAgain) {
		const isError = fault.expected[subject.kind] === 'error';
		expect([where, ending.failure !== undefined]).toEqual([where, isError]);
	}
	// Whatever happened: what others made is as it was, unless the operation was about it.
	const handMade = before.find(({ url }) => url === HOOK);
	if (subject.isTrigger) expect(sandbox.webhooks()).toContainEqual(handMade);
	await subject.mend?.(sandbox);
}

/** A service that says that a subscription is not there is believed: there is nothing to switch off then. */
function isTakenForGone({ isTrigger, kind }: Subject, { name }: Fault): boolean {
	return isTrigger === true && name === '404' && kind !== 'creation';
}

/** One that may be seen but not changed belongs to another account: the node makes one of its own. */
function isReplaced({ isTrigger }: Subject, { failure }: Ending): boolean {
	return isTrigger === true && failure?.includes('point at this node too') === true;
}

/** What the user reads: about the fault, and for a creation whether it may have happened all the same. */
function sentence({ kind }: Subject, { message, unlessCreation }: Fault): RegExp {
	return (kind !== 'creation' ? unlessCreation : undefined) ?? message ?? /./;
}
