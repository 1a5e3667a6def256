const { NodeOperationError } = require('n8n-workflow');

/** Writes to n8n's console which method n8n called, and in what state. The run reads it there. */
const report = (context, event, details = {}) => {
	const workflow = context.getWorkflow().id;
	console.log(`PROBE ${JSON.stringify({ workflow, event, ...details })}`);
};

const hookDetails = (context) => ({
	mode: context.getMode(),
	activation: context.getActivationMode(),
	url: context.getNodeWebhookUrl('default'),
	instanceId: context.getInstanceId(),
	staticData: { ...context.getWorkflowStaticData('node') },
});

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

	async refuse(context) {
		context.getResponseObject().status(401).json({ refused: true });
		return { noWebhookResponse: true };
	},

	async log(context) {
		context.logger.warn(`The probe says ${context.getQueryData().words}`);
		return { webhookResponse: {} };
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

	/** Both starts the workflow and answers something of its own. */
	async startAndAnswer() {
		return { webhookResponse: { own: true }, workflowData: [[{ json: { held: 'back' } }]] };
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
			{ displayName: 'Scheduled', name: 'scheduled', type: 'boolean', default: false },
			{ displayName: 'Fails Later', name: 'failsLater', type: 'boolean', default: false },
			{ displayName: 'Call Itself', name: 'callItself', type: 'boolean', default: false },
			{ displayName: 'Filled In', name: 'filledIn', type: 'number', default: 7 },
			{
				displayName: 'Hidden',
				name: 'hidden',
				type: 'string',
				default: 'its default',
				displayOptions: { show: { scheduled: [true] } },
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				default: {},
				options: [{ displayName: 'Shown', name: 'shown', type: 'boolean', default: true }],
			},
		],
	};

	webhookMethods = {
		default: {
			async checkExists() {
				report(this, 'checkExists', hookDetails(this));
				return false;
			},
			async create() {
				const details = hookDetails(this);
				report(this, 'create', details);
				const failWith = this.getNodeParameter('failWith');
				if (failWith) throw new Error(failWith);
				this.getWorkflowStaticData('node').madeFor = details.mode;
				if (this.getNodeParameter('callItself')) {
					const url = `${details.url}?do=look`;
					const answer = await this.helpers.httpRequest({ method: 'POST', url, json: true });
					report(this, 'reached itself', { mode: answer.mode });
				}
				return true;
			},
			async delete() {
				report(this, 'delete', hookDetails(this));
				return true;
			},
		},
	};

	async trigger() {
		report(this, 'trigger', { mode: this.getMode(), activation: this.getActivationMode() });
		if (this.getMode() !== 'manual' && this.getNodeParameter('scheduled')) {
			this.helpers.registerCron({ expression: '* * * * * *' }, () => report(this, 'scheduled'));
		}
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
			contentType: request.contentType,
			body: isStream ? null : request.body,
			query,
			staticData: { ...this.getWorkflowStaticData('node') },
			instanceId: this.getInstanceId(),
			filledIn: this.getNodeParameter('filledIn'),
			hidden: this.getNodeParameter('hidden', 'no value'),
			options: this.getNodeParameter('options'),
		};
		return await DELIVERIES[query.do](this, seen);
	}

	async execute() {
		const items = this.getInputData();
		report(this, 'execute', { mode: this.getMode(), item: items[0].json });
		return [items];
	}
};
