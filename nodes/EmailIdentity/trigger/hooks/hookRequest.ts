import {
	NodeOperationError,
	type CronExpression,
	type IHookFunctions,
	type ITriggerFunctions,
} from 'n8n-workflow';
import { EmailIdentityService } from '../../api/service';
import { withFullStop } from '../../../../lib/basics';
import { secretScope, type SecretScope } from '../../shared/secret';
import { settingsProblem } from '../settings/checkSettings';
import { readCommonParameters } from '../settings/collections';
import { readSubscriptionParameters } from '../settings/parameters';
import type { CommonParameters, SubscriptionParameters } from '../settings/settings';
import { nameInLog } from '../logLines';
import { readStored, triggerStaticData, type StoredSubscription } from '../staticData';
import { toError, type StandingFailure } from '../state/failureReports';
import type { HookHost } from '../state/hookHost';
import type { Endpoint } from '../webhooks/subscriptionUrl';

/** A call of `create` or `delete`. */
export interface HookRequest extends HookHost {
	/** For `delete`, `listening` may be wrong: n8n does not say what it listened for, and `deactivate` finds it out. */
	endpoint: Endpoint;
	/** The user publishes or listens for a test event; or n8n starts or becomes the leader. */
	occasion: 'publish' | 'start';
	workflowId: string | undefined;
	options: CommonParameters;
	/** Undefined if nothing was stored. It may come from an imported workflow, so it proves nothing, see `OwnWebhooks`. */
	stored: StoredSubscription | undefined;
	/** n8n hands over the same object for all attempts of one publication, see `Publications`. */
	staticData: object;
	store(subscription: StoredSubscription): void;
	/**
	 * @param isChecked whether to refuse settings that let no email through
	 * @throws Error if they are refused
	 */
	parameters(isChecked: boolean): SubscriptionParameters;
	post(url: string, body: object, timeoutMs: number): Promise<unknown>;
	/** An error with the words that the user reads. */
	failure(reason: unknown): NodeOperationError;
}

/** A call of `trigger`. */
export interface TriggerRequest extends HookHost {
	scope: SecretScope;
	/** 0 for never. */
	checkEveryMinutes: number;
	/** False while n8n listens for a test event. */
	isPublished: boolean;
	schedule(expression: string, onTick: () => Promise<void>): void;
	/** Records a failed execution, so that n8n calls the error workflow. Only newer versions of n8n 2 can do this. */
	report(failure: StandingFailure | undefined): void;
}

const STARTS = ['init', 'leadershipChange'];

export function readHookRequest(context: IHookFunctions): HookRequest {
	const options = readCommonParameters(context);
	const staticData = triggerStaticData(context);
	const isTest = context.getMode() === 'manual';
	const isStart = STARTS.includes(context.getActivationMode());
	return {
		...createHookHost(context),
		endpoint: {
			...secretScope(context, isTest ? 'test' : 'production'),
			name: readName(context),
			address: context.getNodeWebhookUrl('default') ?? '',
			deliveryUrl: options.deliveryUrl,
		},
		occasion: isStart ? 'start' : 'publish',
		workflowId: context.getWorkflow().id,
		options,
		stored: readStored(context),
		staticData,
		store(subscription) {
			staticData.subscription = subscription;
		},
		parameters(isChecked) {
			if (isChecked) {
				const problem = settingsProblem(context);
				if (problem !== undefined) throw new Error(problem);
			}
			return readSubscriptionParameters(context);
		},
		async post(url, body, timeout): Promise<unknown> {
			return await context.helpers.httpRequest({ method: 'POST', url, body, json: true, timeout });
		},
		failure: (reason) => new NodeOperationError(context.getNode(), explain(reason)),
	};
}

export function readTriggerRequest(context: ITriggerFunctions): TriggerRequest {
	return {
		...createHookHost(context),
		scope: secretScope(context, 'production'),
		isPublished: context.getMode() !== 'manual',
		checkEveryMinutes: readCommonParameters(context).checkEvery,
		schedule: (expression, onTick) =>
			context.helpers.registerCron({ expression: expression as CronExpression }, onTick),
		report(failure) {
			if (failure) context.saveFailedExecution?.(toError(context.getNode(), failure));
		},
	};
}

function createHookHost(context: IHookFunctions | ITriggerFunctions): HookHost {
	return {
		service: (options) => new EmailIdentityService(context, options),
		log: (level, message) => context.logger[level](`${nameInLog(context)}: ${message}`),
	};
}

function readName(context: IHookFunctions | ITriggerFunctions): string {
	const { name, id } = context.getWorkflow();
	return `${name ?? id ?? ''} / ${context.getNode().name}`;
}

/** When n8n 1.x starts, it never retries a workflow whose error message contains this word (`active-workflow-manager.js`). */
const WORD_THAT_ENDS_RETRIES = /authorization/gi;

/**
 * The message and the description of an error as one line, because n8n shows only the description if there is one
 * (`workflow.service.js`). There is no API key, secret or mail in it, because the errors of `api/` contain none.
 */
export function explain(reason: unknown): string {
	// Anything can be thrown.
	const { message = reason, description } = Object(reason) as Record<string, unknown>;
	const sentences: string[] = [];
	for (const part of [message, description]) {
		if (part) sentences.push(withFullStop(String(part)));
	}
	const line = sentences.join(' ').replace(/\s+/g, ' ');
	return line.replace(WORD_THAT_ENDS_RETRIES, 'permission');
}
