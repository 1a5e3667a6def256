import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { searchIdentities, searchSenders, searchWebhooks } from './listSearch';
import { chosenOperation, OPERATIONS_WITHOUT_CREDENTIAL, properties } from './operations';
import { SEND_AND_WAIT_WEBHOOKS, WAITING_TOOLTIP } from './operations/message/sendAndWait';
import { runOperation } from './operations/runOperation';
import { emailIdentityApiTest, mainConnection, subtitleOf } from './shared/editor/nodeDescription';

export class EmailIdentity implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Email Identity',
		name: 'emailIdentity',
		icon: {
			light: 'file:../../icons/emailIdentity.svg',
			dark: 'file:../../icons/emailIdentity.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(['resource', 'operation'], properties),
		description: 'Reply to and send email, read identities and messages, and manage webhooks',
		defaults: { name: 'Email Identity' },
		// For n8n's AI builder: when to choose the node, and what goes with it.
		builderHint: {
			searchHint:
				'Replies to received email and sends email from the addresses of a Kurrier-compatible service, checks its addresses and domains (status, DNS, what keeps them from receiving email) and manages its webhooks. To start a workflow from received email, use Email Identity Trigger, which creates its webhook itself. Message > Reply, anywhere after it, answers the email that started the workflow and needs only the text: let a language model write nothing but that.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-email-identity.emailIdentityTrigger',
					relationHint: 'Starts a workflow from received email',
				},
				{ nodeType: 'n8n-nodes-base.scheduleTrigger', relationHint: 'Runs an audit every day' },
			],
		},
		usableAsTool: true,
		inputs: [mainConnection()],
		outputs: [mainConnection()],
		credentials: [
			{
				name: 'emailIdentityApi',
				required: true,
				testedBy: 'emailIdentityApiTest',
				// n8n hides a credential if any of several conditions is met, so the operations alone are named.
				displayOptions: { hide: { operation: OPERATIONS_WITHOUT_CREDENTIAL } },
			},
		],
		waitingNodeTooltip: WAITING_TOOLTIP,
		webhooks: SEND_AND_WAIT_WEBHOOKS,
		properties,
	};

	methods = {
		credentialTest: { emailIdentityApiTest },
		listSearch: { searchIdentities, searchSenders, searchWebhooks },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runOperation(this, chosenOperation(this))];
	}

	/** The page of a question, and its answer. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { receiveAnswer } = await import('./operations/message/question/receiveAnswer');
		return await receiveAnswer(this);
	}
}
