import {
	NodeOperationError,
	type IHookFunctions,
	type INode,
	type ITriggerFunctions,
} from 'n8n-workflow';
import { readFlag } from '../../api/resources';
import { createService, type EmailIdentityService, type ServiceOptions } from '../../api/service';
import { withFullStop } from '../../lib/text';
import { dnsResolverProblem } from '../../shared/fields';
import { filterProblem } from '../delivery/filters';
import { readFilters, readOptions, type Retirement } from '../options';
import {
	readSubscriptionParameters,
	triggerSwitches,
	type SubscriptionParameters,
} from '../parameters';
import { secretScope, type SecretScope } from '../../shared/secret';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import type { Endpoint } from './address';

/**
 * `publish`: the user waits in the editor, also for a test event. `start`: n8n starts or becomes the leader. `check`: at
 * intervals, or for a delivery that found the restriction lost.
 */
export type Occasion = 'publish' | 'start' | 'check';

const STARTS = ['init', 'leadershipChange'];

/** What every call can use. */
export interface Host {
	service(options: ServiceOptions): EmailIdentityService;
	/** Writes to n8n's log, with the names of the workflow and the node. */
	log(level: 'error' | 'warn' | 'info', message: string): void;
}

/** A call of `create` or `delete`, without n8n's context. */
export interface HookRequest extends Host {
	/** How n8n listens is only right for `create`: it does not tell `delete`. */
	endpoint: Endpoint;
	occasion: Exclude<Occasion, 'check'>;
	workflowId: string | undefined;
	useSampleEmail: boolean;
	onDeactivation: Retirement;
	/** From n8n's static data. */
	stored: StoredSubscription | undefined;
	store(subscription: StoredSubscription): void;
	/**
	 * @param isChecked whether to refuse settings that let no email through
	 * @throws NodeOperationError when no identity is chosen or a setting is refused
	 */
	parameters(isChecked: boolean): SubscriptionParameters;
	/** Sends a request to n8n itself. */
	post(url: string, body: object, timeout: number): Promise<unknown>;
	/** Makes the error that n8n shows. */
	failure(reason: unknown): Error;
}

/** Only this and `readTriggerRequest` read the context of a hook. */
export function readHookRequest(context: IHookFunctions): HookRequest {
	const options = readOptions(context);
	const node = context.getNode();
	const staticData = triggerStaticData(context);
	return {
		...lend(context),
		endpoint: {
			name: readName(context),
			...secretScope(context, context.getMode() === 'manual' ? 'test' : 'production'),
			address: context.getNodeWebhookUrl('default') ?? '',
			deliveryUrl: options.deliveryUrl,
		},
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

/** A call of `trigger`. */
export interface TriggerRequest extends Host {
	/** The scope of its production URL. */
	node: SecretScope;
	/** Whether the workflow is published and not only run in the editor. */
	isActive: boolean;
	/** Minutes between two checks; 0 for none. */
	checkEvery: number;
	/** Registers a function with n8n's scheduler until the workflow is deactivated. */
	schedule: ITriggerFunctions['helpers']['registerCron'];
}

export function readTriggerRequest(context: ITriggerFunctions): TriggerRequest {
	return {
		...lend(context),
		node: secretScope(context, 'production'),
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

/**
 * For publishing and test events. Later, no email is lost because of the value of an expression.
 *
 * @throws NodeOperationError when no email can start the workflow with these settings, or a switch is not a boolean
 */
function checkParameters(context: IHookFunctions, node: INode): void {
	for (const { path, label } of triggerSwitches) {
		// A switch that was not added or is hidden has no value.
		if (readFlag(context.getNodeParameter(path, false)) === null) {
			throw new NodeOperationError(node, `${label} must be true or false`, {
				description: 'Set it to a fixed value, or check its expression.',
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
 * At its start, n8n 1.x never retries a workflow whose error message contains this word. It also shows an error's
 * description instead of its message (`active-workflow-manager.js`, `workflow.service.js`). So the message says everything,
 * without this word.
 */
const GIVES_UP_ON = /authorization/gi;

/**
 * Describes in one line what happened and how to fix it. Contains no API key, secret or mail, because the errors of `api/`
 * contain none.
 */
export function explain(reason: unknown): string {
	const { message = reason, description } = Object(reason) as Record<string, unknown>;
	return [message, description]
		.filter((part) => !!part)
		.map((sentence) => withFullStop(String(sentence)))
		.join(' ')
		.replace(/\s+/g, ' ')
		.replace(GIVES_UP_ON, 'permission');
}
