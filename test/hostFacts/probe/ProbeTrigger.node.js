const { NodeOperationError } = require('n8n-workflow');

/** Writes to n8n's console which method n8n called, and in what state. The run reads it there. */
const report = (context, event, details = {}) => {
	const workflow = context.getWorkflow().id;
	console.log(`PROBE ${JSON.stringify({ workflow, event, ...details })}`);
};

/** By the parameter `do` in a delivery's query. */
const DELIVERIES = {
	/** Starts nothing and answers what it sees. */
	async look(context, seen) {
		return { webhookResponse: seen };
	},

	async readRawBody(context, seen) {
		const request = context.getRequestObject();
		try {
			await request.readRawBody();
			const { encoding, rawBody } = request;
			return { webhookResponse: { ...seen, encoding, raw: rawBody.toString('latin1') } };
		} catch (error) {
			return { webhookResponse: { ...seen, status: error.status } };
		}
	},

	/** Starts the workflow; static data are changed where n8n asks for the answer. */
	async start(context, seen) {
		const staticData = context.getWorkflowStaticData('node');
		const response = context.getResponseObject();
		const { end } = response;
		response.end = (...values) => {
			report(context, 'end');
			return end.apply(response, values);
		};
		return {
			workflowData: [[{ json: seen }]],
			get webhookResponse() {
				report(context, 'asked');
				staticData.object = { value: 'first' };
				return { status: 'started' };
			},
		};
	},
};

exports.ProbeTrigger = class {
	description = {
		displayName: 'Probe Trigger',
		name: 'probeTrigger',
		group: ['trigger'],
		version: 2,
		description: 'Tells what n8n does with a trigger',
		defaults: { name: 'Probe Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: 'webhook',
			},
		],
		properties: [
			{ displayName: 'Fail With', name: 'failWith', type: 'string', default: '' },
			{ displayName: 'Fails Later', name: 'failsLater', type: 'boolean', default: false },
		],
	};

	webhookMethods = {
		default: {
			async checkExists() {
				return false;
			},
			async create() {
				report(this, 'create', { url: this.getNodeWebhookUrl('default') });
				const failWith = this.getNodeParameter('failWith');
				if (failWith) throw new Error(failWith);
				return true;
			},
			async delete() {
				report(this, 'delete');
				return true;
			},
		},
	};

	async trigger() {
		if (this.getMode() !== 'manual' && this.getNodeParameter('failsLater')) {
			let isSaved = false;
			this.helpers.registerCron({ expression: '* * * * * *' }, () => {
				if (isSaved) return report(this, 'goes on');
				isSaved = true;
				this.saveFailedExecution(new NodeOperationError(this.getNode(), 'It has stopped'));
			});
		}
		return {};
	}

	async webhook() {
		const request = this.getRequestObject();
		const query = this.getQueryData();
		const isStream = request.body === undefined || Object.keys(request.body).length === 0;
		const seen = {
			mode: this.getMode(),
			body: isStream ? null : request.body,
			staticData: { ...this.getWorkflowStaticData('node') },
		};
		return await DELIVERIES[query.do](this, seen);
	}

	async execute() {
		return [this.getInputData()];
	}
};
