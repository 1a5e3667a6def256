import {
	NodeOperationError,
	type CronExpression,
	type IHookFunctions,
	type ITriggerFunctions,
} from 'n8n-workflow';
import { EmailIdentityService } from '../../api/service';
import { secretScope } from '../../shared/secret';
import { explain, nameInLog } from '../logLines';
import { settingsProblem } from '../settings/checkSettings';
import { readCommonParameters } from '../settings/collections';
import { readSubscriptionParameters } from '../settings/parameters';
import { toError } from '../state/failureReports';
import type { ParameterContext } from '../settings/settings';
import type { HookHost, HookRequest, TriggerRequest } from '../state/hookRequest';
import { readStored, triggerStaticData } from '../staticData';

const STARTS = ['init', 'leadershipChange'];

export function readHookRequest(context: IHookFunctions): HookRequest {
	const { options, unreadable } = readOptions(context);
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
		unreadable,
		stored: readStored(context),
		staticData,
		store(subscription) {
			staticData.subscription = subscription;
		},
		parameters(isChecked) {
			if (unreadable !== undefined) throw new Error(explain(unreadable));
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
		checkEveryMinutes: readOptions(context).options.checkEvery,
		schedule: (expression, onTick) =>
			context.helpers.registerCron({ expression: expression as CronExpression }, onTick),
		report(failure) {
			if (failure) context.saveFailedExecution?.(toError(context.getNode(), failure));
		},
	};
}

/** Where fields have no values, they have their defaults. */
const WITHOUT_VALUES: ParameterContext = { getNodeParameter: (_name, fallback) => fallback };

/** An expression of a published node can begin to fail, such as one with `$env`, which n8n 2 does not allow. */
function readOptions(
	context: IHookFunctions | ITriggerFunctions,
): Pick<HookRequest, 'options' | 'unreadable'> {
	try {
		return { options: readCommonParameters(context) };
	} catch (error) {
		return { options: readCommonParameters(WITHOUT_VALUES), unreadable: error };
	}
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
