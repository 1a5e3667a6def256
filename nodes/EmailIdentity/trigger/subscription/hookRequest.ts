import {
	NodeOperationError,
	type CronExpression,
	type IHookFunctions,
	type INodeProperties,
	type ITriggerFunctions,
} from 'n8n-workflow';
import { readFlag } from '../../api/resources';
import { createService, type ServiceOptions } from '../../api/service';
import { withFullStop } from '../../../../lib/basics';
import { senderCheckProblem } from '../../shared/fields';
import { secretScope } from '../../shared/secret';
import { filterProblem } from '../settings/filters';
import { readOptions, type Options } from '../settings/collections';
import {
	readDeliveryParameters,
	readSubscriptionParameters,
	triggerParameters,
	type SubscriptionParameters,
} from '../settings/parameters';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import { toError, type StandingFailure } from './failureReports';

/** The user publishes or listens for a test event; n8n starts or becomes the leader; a check is due; a restriction was lost. */
export type Occasion = 'publish' | 'start' | 'check' | 'repair';

const STARTS = ['init', 'leadershipChange'];

export type Host = ReturnType<typeof lend>;

export type HookRequest = ReturnType<typeof readHookRequest>;

export type TriggerRequest = ReturnType<typeof readTriggerRequest>;

export function readHookRequest(context: IHookFunctions) {
	const options = readOptions(context);
	const staticData = triggerStaticData(context);
	const isStart = STARTS.includes(context.getActivationMode());
	return {
		...lend(context),
		/** For `delete`, `Lifecycle` finds out what n8n listened for. */
		endpoint: {
			name: readName(context),
			...secretScope(context, context.getMode() === 'manual' ? 'test' : 'production'),
			address: context.getNodeWebhookUrl('default') ?? '',
			deliveryUrl: options.deliveryUrl,
		},
		occasion: isStart ? ('start' as const) : ('publish' as const),
		workflowId: context.getWorkflow().id,
		options,
		stored: staticData.subscription,
		store(subscription: StoredSubscription): void {
			staticData.subscription = subscription;
		},
		/** @param isChecked whether to refuse settings that let no email through */
		parameters(isChecked: boolean): SubscriptionParameters {
			const parameters = readSubscriptionParameters(context);
			if (isChecked) checkParameters(context, options, parameters);
			return parameters;
		},
		post: async (url: string, body: object, timeout: number): Promise<unknown> =>
			await context.helpers.httpRequest({ method: 'POST', url, body, json: true, timeout }),
		failure: (reason: unknown) => new NodeOperationError(context.getNode(), explain(reason)),
	};
}

export function readTriggerRequest(context: ITriggerFunctions) {
	return {
		...lend(context),
		node: secretScope(context, 'production'),
		isPublished: context.getMode() !== 'manual',
		checkEveryMinutes: readOptions(context).checkEvery,
		schedule: (expression: string, onTick: () => Promise<void>): void =>
			context.helpers.registerCron({ expression: expression as CronExpression }, onTick),
		/** Records a failed execution, so that n8n calls the error workflow. Only newer versions of n8n 2 can do this. */
		report(failure: StandingFailure | undefined): void {
			if (failure) context.saveFailedExecution?.(toError(context.getNode(), failure));
		},
	};
}

function lend(context: IHookFunctions | ITriggerFunctions) {
	const subject = `Email Identity Trigger "${readName(context)}"`;
	return {
		service: (options: ServiceOptions) => createService(context, options),
		log: (level: 'error' | 'warn' | 'info', message: string): void =>
			context.logger[level](`${subject}: ${message}`),
	};
}

function readName(context: IHookFunctions | ITriggerFunctions): string {
	const { name, id } = context.getWorkflow();
	return `${name ?? id ?? ''} / ${context.getNode().name}`;
}

/** @throws Error when no email can start the workflow with these settings, or a setting has no effect or no valid value */
function checkParameters(
	context: IHookFunctions,
	options: Options,
	{ chosen }: SubscriptionParameters,
): void {
	checkSwitches(context, triggerParameters);
	const { senderCheck } = options;
	const parameters = readDeliveryParameters(context);
	const hasNoResult = senderCheck === 'add' && !readFlag(context.getNodeParameter('simplify'));
	const problem =
		(chosen?.id === '' ? NO_IDENTITY : undefined) ??
		filterProblem(parameters.filters, parameters) ??
		(senderCheck === 'off' ? undefined : senderCheckProblem(options)) ??
		(hasNoResult ? NO_RESULT : undefined);
	if (problem !== undefined) throw new Error(problem);
}

const NO_RESULT =
	"'Sender Check' is set to Add Result, which only the simplified output contains. Turn on 'Simplify', or set 'Sender Check' to Off or Require.";

const NO_IDENTITY =
	"No identity is selected. Choose one under 'Identity', or set 'Receive For' to All Identities.";

function checkSwitches(context: IHookFunctions, fields: INodeProperties[], path = ''): void {
	for (const { name, displayName, type, options } of fields) {
		if (type === 'collection') checkSwitches(context, options as INodeProperties[], `${name}.`);
		// A switch that was not added or is hidden has no value.
		const isOdd =
			type === 'boolean' && readFlag(context.getNodeParameter(path + name, false)) === null;
		if (!isOdd) continue;
		throw new Error(
			`'${displayName}' must be true or false. Set it to a fixed value, or check its expression.`,
		);
	}
}

/**
 * At its start, n8n 1.x never retries a workflow whose error message contains this word. Of an error with a description, it
 * shows only that (`active-workflow-manager.js`, `workflow.service.js`), so the message says everything.
 */
const GIVES_UP_ON = /authorization/gi;

/** One line without API keys, secrets or mail, because the errors of `api/` contain none. */
export function explain(reason: unknown): string {
	const { message = reason, description } = Object(reason) as Record<string, unknown>;
	return [message, description]
		.filter((part) => !!part)
		.map((sentence) => withFullStop(String(sentence)))
		.join(' ')
		.replace(/\s+/g, ' ')
		.replace(GIVES_UP_ON, 'permission');
}
