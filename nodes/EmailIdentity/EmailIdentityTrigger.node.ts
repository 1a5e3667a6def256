import {
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { emailIdentityApiTest } from './api/credential';
import { searchIdentities } from './listSearch';
import { mainConnection, triggerSubtitleOf } from './shared/nodeDescription';
import { triggerPanel, triggerParameters } from './trigger/parameters';

// n8n requires this file at every start, in each of its processes, so what the trigger does is loaded at its first use.
const loadTrigger = async () => await import('./trigger');

export class EmailIdentityTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Email Identity Trigger',
		name: 'emailIdentityTrigger',
		icon: {
			light: 'file:../../icons/emailIdentity.svg',
			dark: 'file:../../icons/emailIdentity.dark.svg',
		},
		group: ['trigger'],
		// Below version 2 n8n evaluates an expression at every delivery, whatever `webhooks` holds.
		version: 2,
		subtitle: triggerSubtitleOf('event', triggerParameters),
		description: 'Starts the workflow when an email is received',
		defaults: { name: 'Email Identity Trigger' },
		eventTriggerDescription: 'Waiting for you to send an email',
		triggerPanel,
		inputs: [],
		outputs: [mainConnection()],
		credentials: [{ name: 'emailIdentityApi', required: true, testedBy: 'emailIdentityApiTest' }],
		// Literals only: an expression here would be evaluated at every delivery.
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Empty, so that n8n asks the delivery for its answer, see `startWith` in `door.ts`.
				responseData: '',
				path: 'webhook',
				// Without the subscription's secret the address only gives 401, so that showing it would mislead; whoever sets up
				// a gateway needs it. Only the editor evaluates this one.
				ndvHideUrl: '={{ !$parameter.advanced.deliveryUrl }}',
			},
		],
		properties: triggerParameters,
	};

	methods = {
		credentialTest: { emailIdentityApiTest },
		listSearch: { searchIdentities },
	};

	webhookMethods = {
		default: {
			/** n8n calls `create` then, which looks for itself. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const { activate } = await loadTrigger();
				return await activate(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				const { deactivate } = await loadTrigger();
				return await deactivate(this);
			},
		},
	};

	/** Looks after the subscription while the workflow is active. Deliveries come to `webhook`. */
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		const { watch } = await loadTrigger();
		watch(this);
		return {};
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { receive } = await loadTrigger();
		return await receive(this);
	}

	/**
	 * n8n executes a node that has `trigger` also where `webhook` received something: it is passed on. Where somebody
	 * listens for a test event, an email that is ignored becomes an error that says why.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		if (this.getMode() === 'manual') {
			const { throwWhyNotStarted } = await loadTrigger();
			throwWhyNotStarted(this.getNode(), items);
		}
		return [items];
	}
}
