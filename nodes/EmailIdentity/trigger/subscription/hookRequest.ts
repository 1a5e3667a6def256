import {
	NodeOperationError,
	type IHookFunctions,
	type INode,
	type ITriggerFunctions,
} from 'n8n-workflow';
import { readFlag } from '../../api/resources';
import { createService, type EmailIdentityService, type ServiceOptions } from '../../api/service';
import { webhookUrlProblem } from '../../api/webhookUrl';
import { dnsResolverProblem } from '../../shared/dnsResolver';
import { readSenderCheck } from '../../shared/senderFields';
import { toUrl } from '../../lib/hosts';
import { filterProblem } from '../delivery/filters';
import { readFilters, readOptions, type Retirement } from '../options';
import {
	readSubscriptionParameters,
	readUseSampleEmail,
	triggerSwitches,
	type SubscriptionParameters,
} from '../parameters';
import { PARAMETER, secretScope, type Listening } from '../secret';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import { NODE_PARAMETER, usesGateway, type Endpoint, type NodeIdentity } from './address';
import { refusals } from './logMessages';

/** `start`: n8n starts. `leadership`: it becomes the leader of several. `publish`: somebody waits in the editor, also for a test event. */
export type HookOccasion = 'publish' | 'start' | 'leadership';

/** n8n comes up with workflows that were active before. */
const STARTS: ReadonlyMap<string, HookOccasion> = new Map([
	['init', 'start'],
	['leadershipChange', 'leadership'],
]);

/** What n8n lends to one call. */
export interface Host {
	service(options: ServiceOptions): EmailIdentityService;
	log(level: 'error' | 'warn' | 'info', message: string): void;
}

/** One call of `create` or `delete`, as far as n8n tells of it. Nothing behind sees n8n's context. */
export interface HookRequest extends Host {
	endpoint: Endpoint;
	/** What `create` is to listen for; `delete` is not told. */
	listening: Listening;
	occasion: HookOccasion;
	workflowId: string | undefined;
	useSampleEmail: boolean;
	onDeactivation: Retirement;
	/** As n8n's static data have it. */
	stored: StoredSubscription | undefined;
	store(subscription: StoredSubscription): void;
	/**
	 * @param isChecked whether a setting that lets no email through is refused
	 * @throws NodeOperationError when no identity is chosen, or a setting is refused
	 */
	parameters(isChecked: boolean): SubscriptionParameters;
	/** Sends n8n a request of its own. */
	post(url: string, body: object, timeout: number): Promise<unknown>;
	/** An error as n8n shows it. */
	failure(message: string): Error;
}

/** With `readTriggerRequest` the only place that reads the context of a hook. */
export function readHookRequest(context: IHookFunctions): HookRequest {
	const options = readOptions(context);
	const workflow = context.getWorkflow();
	const node = context.getNode();
	const staticData = triggerStaticData(context);
	return {
		...lend(context),
		endpoint: {
			address: context.getNodeWebhookUrl('default') ?? '',
			deliveryUrl: options.deliveryUrl,
			...readNodeIdentity(context),
			name: `${workflow.name ?? workflow.id ?? ''} / ${node.name}`,
		},
		listening: context.getMode() === 'manual' ? 'test' : 'production',
		occasion: STARTS.get(context.getActivationMode()) ?? 'publish',
		workflowId: workflow.id,
		useSampleEmail: readUseSampleEmail(context),
		onDeactivation: options.onDeactivation,
		get stored() {
			return staticData.subscription;
		},
		store(subscription) {
			staticData.subscription = subscription;
		},
		parameters(isChecked) {
			const parameters = readSubscriptionParameters(context);
			if (isChecked) checkParameters(context, node);
			return parameters;
		},
		post: async (url, body, timeout) =>
			await context.helpers.httpRequest({ method: 'POST', url, body, json: true, timeout }),
		failure: (message) => new NodeOperationError(node, message),
	};
}

/** One call of `trigger`, likewise. */
export interface TriggerRequest extends Host {
	node: NodeIdentity;
	/** Whether the workflow is active, and not only run in the editor. */
	isActive: boolean;
	/** Minutes between two checks; 0 for none. */
	checkEvery: number;
	/** Has n8n's scheduler call something, until the workflow is switched off. */
	schedule: ITriggerFunctions['helpers']['registerCron'];
}

export function readTriggerRequest(context: ITriggerFunctions): TriggerRequest {
	return {
		...lend(context),
		node: readNodeIdentity(context),
		isActive: context.getMode() !== 'manual',
		checkEvery: readOptions(context).checkEvery,
		schedule: (cron, onTick) => context.helpers.registerCron(cron, onTick),
	};
}

function lend(context: IHookFunctions | ITriggerFunctions): Host {
	return {
		service: (options) => createService(context, options),
		log: (level, message) => context.logger[level](message),
	};
}

function readNodeIdentity(context: IHookFunctions | ITriggerFunctions): NodeIdentity {
	const { instanceId, webhookPath } = secretScope(context, 'production');
	return { instanceId, webhookPath };
}

/**
 * For publishing and for test events. Later on, an expression costs no email, whatever it gives.
 *
 * @throws NodeOperationError when no email can ever start the workflow as the node is set, or a switch cannot be read
 */
function checkParameters(context: IHookFunctions, node: INode): void {
	for (const { path, label } of triggerSwitches) {
		// What was not added, or is not shown, has no value.
		if (readFlag(context.getNodeParameter(path, false)) === null) {
			throw new NodeOperationError(node, `${label} must be true or false`, {
				description: 'Set it by hand, or let its expression give true or false.',
			});
		}
	}
	const filters = readFilters(context);
	const senderCheck = readSenderCheck(context.getNodeParameter('senderCheck'));
	const { dnsResolver } = readOptions(context);
	const problem =
		filterProblem(filters, senderCheck) ??
		(senderCheck === 'off' ? undefined : dnsResolverProblem(dnsResolver));
	if (problem !== undefined) throw new NodeOperationError(node, problem);
}

/**
 * Where the service delivers to a gateway, it is the gateway that has to reach n8n.
 *
 * @returns why the service cannot deliver to the node, and what to do; undefined when it can
 */
export function addressRefusal(
	endpoint: Endpoint,
	listening: Listening,
	allowPrivate: boolean,
): string | undefined {
	if (!usesGateway(endpoint, listening)) {
		const problem = webhookUrlProblem(endpoint.address, allowPrivate);
		return problem && refusals.address(endpoint, problem, listening);
	}
	const { deliveryUrl } = endpoint;
	const problem = webhookUrlProblem(deliveryUrl, allowPrivate);
	if (problem !== undefined) {
		const isPrivate = webhookUrlProblem(deliveryUrl, true) === undefined;
		return refusals.deliveryUrl(problem, isPrivate);
	}
	const { searchParams } = toUrl(deliveryUrl);
	const taken = [NODE_PARAMETER, PARAMETER].find((name) => searchParams.has(name));
	return taken && refusals.reservedParameter(taken);
}
