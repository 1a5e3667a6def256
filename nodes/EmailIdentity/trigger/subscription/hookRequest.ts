import {
	NodeOperationError,
	type IHookFunctions,
	type INode,
	type ITriggerFunctions,
} from 'n8n-workflow';
import { readFlag } from '../../api/resources';
import { createService, type EmailIdentityService, type ServiceOptions } from '../../api/service';
import { withFullStop } from '../../lib/text';
import { dnsResolverProblem } from '../../shared/dnsResolver';
import { filterProblem } from '../delivery/filters';
import { readFilters, readOptions, type Retirement } from '../options';
import {
	readSubscriptionParameters,
	triggerSwitches,
	type SubscriptionParameters,
} from '../parameters';
import { secretScope, type Listening } from '../secret';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import type { Endpoint, NodeIdentity } from './address';

/** `start`: n8n starts, or becomes the leader of several. `publish`: the user waits in the editor, also for a test event. */
export type Occasion = 'publish' | 'start';

const STARTS = ['init', 'leadershipChange'];

/** What n8n lends to one call. */
export interface Host {
	service(options: ServiceOptions): EmailIdentityService;
	/** Writes to n8n's log, with the name of the node. */
	log(level: 'error' | 'warn' | 'info', message: string): void;
}

/** One call of `create` or `delete`, as far as n8n tells of it. Nothing behind sees n8n's context. */
export interface HookRequest extends Host {
	endpoint: Endpoint;
	/** What `create` is to listen for; `delete` is not told. */
	listening: Listening;
	occasion: Occasion;
	workflowId: string | undefined;
	useSampleEmail: boolean;
	onDeactivation: Retirement;
	/** From n8n's static data. */
	stored: StoredSubscription | undefined;
	store(subscription: StoredSubscription): void;
	/**
	 * @param isChecked whether a setting that lets no email through is refused
	 * @throws NodeOperationError when no identity is chosen, or a setting is refused
	 */
	parameters(isChecked: boolean): SubscriptionParameters;
	/** Sends a request to n8n itself. */
	post(url: string, body: object, timeout: number): Promise<unknown>;
	/** The error that n8n shows. */
	failure(reason: unknown): Error;
}

/** With `readTriggerRequest` the only place that reads the context of a hook. */
export function readHookRequest(context: IHookFunctions): HookRequest {
	const options = readOptions(context);
	const node = context.getNode();
	const staticData = triggerStaticData(context);
	return {
		...lend(context),
		endpoint: {
			name: readName(context),
			...readNodeIdentity(context),
			address: context.getNodeWebhookUrl('default') ?? '',
			deliveryUrl: options.deliveryUrl,
		},
		listening: context.getMode() === 'manual' ? 'test' : 'production',
		occasion: STARTS.includes(context.getActivationMode()) ? 'start' : 'publish',
		workflowId: context.getWorkflow().id,
		useSampleEmail: options.useSampleEmail,
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
		failure: (reason) => new NodeOperationError(node, explain(reason)),
	};
}

/** One call of `trigger`. */
export interface TriggerRequest extends Host {
	node: NodeIdentity;
	/** Whether the workflow is active, and not only run in the editor. */
	isActive: boolean;
	/** Minutes between two checks; 0 for none. */
	checkEvery: number;
	/** Has n8n's scheduler call something until the workflow is deactivated. */
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
	const subject = `Email Identity Trigger "${readName(context)}"`;
	return {
		service: (options) => createService(context, options),
		log: (level, message) => context.logger[level](`${subject}: ${message}`),
	};
}

function readName(context: IHookFunctions | ITriggerFunctions): string {
	const { name, id } = context.getWorkflow();
	return `${name ?? id ?? ''} / ${context.getNode().name}`;
}

function readNodeIdentity(context: IHookFunctions | ITriggerFunctions): NodeIdentity {
	const { instanceId, webhookPath } = secretScope(context, 'production');
	return { instanceId, webhookPath };
}

/**
 * For publishing and for test events. Later on, an expression costs no email, whatever it gives.
 *
 * @throws NodeOperationError when no email can ever start the workflow with these settings, or a switch cannot be read
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
	const { dnsResolver, senderCheck } = readOptions(context);
	const problem =
		filterProblem(filters, senderCheck) ??
		(senderCheck === 'off' ? undefined : dnsResolverProblem(dnsResolver));
	if (problem !== undefined) throw new NodeOperationError(node, problem);
}

/**
 * n8n 1.x gives up on a workflow at its start for good when the message of a failure contains this word,
 * and shows a failure's description instead of its message (`active-workflow-manager.js`,
 * `workflow.service.js`). So everything is said in the message, without the word.
 */
const GIVES_UP_ON = /authorization/gi;

/** A service can make a sentence longer than is good for a log. */
const MAX_SENTENCE_LENGTH = 5000;

/**
 * Says in one line what happened and what to do.
 *
 * @returns never the API key, the secret or mail: the errors of `api/` carry none
 */
export function explain(reason: unknown): string {
	const { message = reason, description } = Object(reason) as Record<string, unknown>;
	return [message, description]
		.filter((part) => !!part)
		.map((sentence) => withFullStop(String(sentence).slice(0, MAX_SENTENCE_LENGTH)))
		.join(' ')
		.replace(/\s+/g, ' ')
		.replace(GIVES_UP_ON, 'permission');
}
