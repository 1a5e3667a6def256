import { until } from '../support/n8n';
import type { CredentialReference, StoredWorkflow } from '../support/n8n';
import { ADDRESS, CREDENTIAL_TYPE, credentialData } from './support/deployment';
import { messageNode, triggerNode, workflowOf } from './support/nodes';
import { onStage, TRIGGER } from './support/stage';

/** Replies with the same subject to one mailbox within an hour, see `ReplyBrake`. */
const MAX_REPLIES = 6;

const OWN_ROBOT = 'support@example.test';
const OTHER_ROBOT = 'person@other.test';

/** Services answer without In-Reply-To, so the brake of the trigger does not count these emails. */
const stage = onStage({ dialect: 'observed' });

async function publish(credential: CredentialReference, address: string, parameters: object) {
	const nodes = [
		triggerNode(credential, { filters: { to: address } }),
		messageNode(credential, 'reply', { text: 'Thank you', ...parameters }, 'Reply'),
	];
	const definition = workflowOf(address, nodes, [`${TRIGGER} > Reply`]);
	const workflow = stage.keep(await stage.n8n.workflows.create(definition));
	await stage.activate(workflow);
	return workflow;
}

/** Waits until a reply was stopped. @returns how many replies were sent */
async function repliesAfterCircle(...workflows: StoredWorkflow[]): Promise<number> {
	await until('a reply is stopped', async () =>
		(await reasons(workflows)).includes('tooManyReplies'),
	);
	await stage.sandbox.deliveriesSettled();
	return stage.sandbox.sentEmails().length;
}

async function reasons(workflows: StoredWorkflow[]): Promise<unknown[]> {
	const { executions } = stage.n8n;
	const all = await Promise.all(workflows.map(({ id }) => executions.atLeast(id, 0)));
	return all.flat().map(({ nodes }) => nodes.Reply?.[0]?.data?.main?.[0]?.[0]?.json.reason);
}

it("two workflows of two accounts that answer each other stop, and n8n's log and error workflow hear of it", async () => {
	const before = stage.n8n.log.mark();
	const { other } = stage.sandbox.accounts;
	const data = { ...credentialData(stage.sandbox), apiKey: other.apiKey };
	const credential = await stage.n8n.credentials.create(CREDENTIAL_TYPE, data, 'Other account');
	const one = await publish(stage.credential, ADDRESS, {});
	const two = await publish(credential, OTHER_ROBOT, {});
	await stage.mail('Hello', { from: OTHER_ROBOT });
	expect(await repliesAfterCircle(one, two)).toBe(2 * MAX_REPLIES);
	expect(stage.n8n.log.text(before)).toMatch(/Replies to one mailbox were stopped/);

	if (stage.n8n.line === '1') return; // n8n 1 has no way to report it.
	const failures = await until('a failed execution is saved', async () => {
		const all = [one, two].map(({ id }) => stage.n8n.executions.atLeast(id, 0));
		const failed = (await Promise.all(all)).flat().filter(({ error }) => error !== undefined);
		return failed.length > 0 && failed;
	});
	expect(failures).toMatchObject([{ error: { message: expect.stringMatching(/were stopped/) } }]);
});

it('two workflows of one account that answer their own addresses stop', async () => {
	const parameters = (address: string) => ({
		emailToAnswer: 'other',
		messageId: '={{ $json.delivery.id }}',
		to: '={{ $json.from.address }}',
		options: {
			identityId: { __rl: true, mode: 'address', value: address },
			subject: '={{ "Re: " + $json.subject }}',
		},
	});
	const one = await publish(stage.credential, ADDRESS, parameters(ADDRESS));
	const two = await publish(stage.credential, OWN_ROBOT, parameters(OWN_ROBOT));
	await stage.mail('Hi', { from: OWN_ROBOT });
	expect(await repliesAfterCircle(one, two)).toBe(2 * MAX_REPLIES);
});
