import {
	NodeOperationError,
	type CronExpression,
	type IHookFunctions,
	type ITriggerFunctions,
} from 'n8n-workflow';
import { createService, type ServiceOptions } from '../../api/service';
import { withFullStop } from '../../../../lib/basics';
import { secretScope } from '../../shared/secret';
import { settingsProblem } from '../settings/checkSettings';
import { readCommonParameters } from '../settings/collections';
import { readSubscriptionParameters } from '../settings/parameters';
import type { SubscriptionParameters } from '../settings/settings';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import { toError, type StandingFailure } from './failureReports';

/** The user publishes or listens for a test event; n8n starts or becomes the leader; a check is due; a restriction was lost. */
export type Occasion = 'publish' | 'start' | 'check' | 'repair';

const STARTS = ['init', 'leadershipChange'];

export type Host = ReturnType<typeof lend>;

export type HookRequest = ReturnType<typeof readHookRequest>;

export type TriggerRequest = ReturnType<typeof readTriggerRequest>;

export function readHookRequest(context: IHookFunctions) {
	const options = readCommonParameters(context);
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
		/**
		 * @param isChecked whether to refuse settings that let no email through
		 * @throws Error when such a setting is found
		 */
		parameters(isChecked: boolean): SubscriptionParameters {
			const problem = isChecked ? settingsProblem(context) : undefined;
			if (problem !== undefined) throw new Error(problem);
			return readSubscriptionParameters(context);
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
		checkEveryMinutes: readCommonParameters(context).checkEvery,
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
