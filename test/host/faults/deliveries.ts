import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { DialectName, MailOptions, Sandbox } from '../../../sandbox';
import { startDeliveryHost, storedSubscription } from '../trigger/delivery/deliveries';
import { FAULTS, recover, strike, type Fault } from './faults';

const OWN = 'sales@example.test';
const MINUTE = 60_000;

/** Something that the service is asked while it delivers an email. Without a fault it starts the workflow. */
export interface AskingDelivery {
	name: string;
	dialect: DialectName;
	/** What the fault hits. */
	path: string;
	parameters?: INodeParameters;
	/** Whether a colleague in the same workspace owns the identity that it comes for. */
	isOfColleague?: boolean;
	/** Whether n8n has lost whose the subscription is. */
	isAccountLost?: boolean;
	/** Where it turned up; left out: received by the service, which then says whom it was for. */
	origin?: Pick<MailOptions, 'folder'>;
	/** What the service says of an email is believed. */
	isAboutMessage?: boolean;
}

export const ASKING_DELIVERIES: readonly AskingDelivery[] = [
	{
		name: "Another owner's mail: may the key read it",
		dialect: 'fork',
		path: '/messages/*',
		isOfColleague: true,
		isAboutMessage: true,
	},
	{
		name: "Another owner's mail: did it come for one of the key's identities",
		dialect: 'observed',
		path: '/identities',
		isOfColleague: true,
	},
	{
		name: 'Whose the subscription is',
		dialect: 'fork',
		path: '/webhooks',
		isAccountLost: true,
	},
	{
		name: 'Verify With the API',
		dialect: 'fork',
		path: '/messages/*',
		parameters: { options: { verify: true } },
		isAboutMessage: true,
	},
	{
		name: "The output's recipient",
		dialect: 'fork',
		path: '/identities',
		origin: { folder: 'INBOX' },
	},
];

/** Beside the others: what a service says about the key is nothing about an email. */
export const DELIVERY_FAULTS: readonly Fault[] = [
	...FAULTS,
	{
		name: '403 for a right that the key lacks',
		rule: {
			answer: {
				type: 'status',
				status: 403,
				body: { code: 'INSUFFICIENT_SCOPE', requiredScopes: ['emails:receive'] },
			},
		},
		expected: { read: 'error', change: 'error', removal: 'error', creation: 'error' },
	},
];

/** With these it says that there is no such message for the key, or nothing but nonsense about the request. */
const BELIEVED_ABOUT_MESSAGES = ['403', '404', '409', '422 with issues'];

/**
 * One cell: what becomes of a delivery while the fault strikes once. One that is put off starts the workflow when the
 * service repeats it a minute later.
 */
export async function endOfDelivery(
	sandbox: Sandbox,
	delivery: AskingDelivery,
	fault: Fault,
): Promise<void> {
	const { name, path, parameters = {}, origin = {} } = delivery;
	sandbox.clearFaults();
	sandbox.replaceState({ webhooks: [], messages: [] });
	// What was asked for before is remembered by key.
	const credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.rotateKey('owner') };
	const host = await startDeliveryHost(parameters, { credential });
	try {
		const url = host.urlFor({}, credential.apiKey);
		const { ownerId, workspaceId } = sandbox.addWebhook({ url });
		if (!delivery.isAccountLost) {
			host.staticData = { subscription: storedSubscription(url, { ownerId, workspaceId }) };
		}
		const to = delivery.isOfColleague ? identityOfColleague(sandbox) : OWN;
		const raw = `Message-ID: <${randomUUID()}@sender.example>\r\nFrom: ann@sender.example\r\nTo: ${OWN}\r\n\r\nHello`;
		const { messages } = await sandbox.receiveMail(raw, { ...origin, to, deliver: false });
		const order = { messageId: messages[0]?.fields.id ?? '', url };
		sandbox.clearRecordings();
		await strike(sandbox, fault, { method: 'GET', path });
		const [answer] = await sandbox.deliver(order);
		const asked = sandbox.requests(({ faultId }) => faultId !== null).length;
		await recover(sandbox, fault);

		const where = `${name}, ${fault.name}: ${answer?.status} ${answer?.responseBody}`;
		expect([where, fault.rule === undefined || asked === 1]).toEqual([where, true]);
		expect(host.outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
		const started = host.started().flat(2);
		if (started.length > 0) return;
		const isBelieved =
			delivery.isAboutMessage === true && BELIEVED_ABOUT_MESSAGES.includes(fault.name);
		expect([where, answer?.status]).toEqual([where, isBelieved ? expect.any(Number) : 503]);
		if (isBelieved) return;
		const later = Date.now() + 2 * MINUTE;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		// For a moment the first question may still be under way; who asks then is given what becomes of it.
		const [again] = await sandbox.deliver(order);
		if (again?.status === 503) await sandbox.deliver(order);
		expect([where, host.started()]).toEqual([where, [[[expect.anything()]]]]);
	} finally {
		jest.restoreAllMocks();
		await host.stop();
	}
}

/** In a domain that the key's own account has, so that it may rightly be meant. */
function identityOfColleague(sandbox: Sandbox): string {
	const value = 'desk@example.test';
	const { accounts, identities } = sandbox.dumpState();
	const [owner, other] = accounts;
	if (!identities.some((identity) => identity.value === value)) {
		const { workspaceId } = owner!;
		sandbox.addIdentity({ value, ownerId: other!.userId, workspaceId, sharedWithWorkspace: true });
	}
	return value;
}
