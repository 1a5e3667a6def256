const { NodeApiError } = require('n8n-workflow');

/** The error, what it says it was caused by, and so on. */
const chainOf = (error) => {
	const links = [];
	for (let link = error; link && links.length < 10; link = link.cause ?? link.errorResponse) {
		const { name, code, httpCode } = link;
		links.push({ class: link.constructor?.name, name, code, httpCode });
	}
	return links;
};

/** The same context, but for the signal that it names. */
const withSignal = (context, signal) =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } });

const OPERATIONS = {
	/** Asks for what the parameter Address names, with all that bounds a request of ours. */
	async request(context) {
		const url = context.getNodeParameter('address', 0);
		try {
			const answer = await context.helpers.httpRequestWithAuthentication.call(context, 'probeApi', {
				url,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			});
			const { statusCode, headers, body } = answer;
			body.destroy?.();
			return { statusCode, headers: { ...headers }, isStream: typeof body.pipe === 'function' };
		} catch (error) {
			return { chain: chainOf(error) };
		}
	},

	/** Calls a server that never answers, and ends that with the signal of the context. */
	async cancel(context) {
		const url = context.getNodeParameter('address', 0);
		const handed = new AbortController();
		setTimeout(() => handed.abort(), 500);
		try {
			await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, handed.signal),
				'probeApi',
				{ url, timeout: 20_000 },
			);
			return { ended: 'answered' };
		} catch {
			return { ended: handed.signal.aborted ? 'by the signal' : 'otherwise' };
		}
	},

	/** Fails with what the parameter Words says, and a property of its own on the error. */
	async fail(context) {
		const message = context.getNodeParameter('words', 0);
		throw Object.assign(new NodeApiError(context.getNode(), {}, { message }), {
			note: 'on the error',
		});
	},

	async failedItem() {
		return { error: 'What happened', message: 'What to do' };
	},

	async chosen(context) {
		return {
			chosen: context.getNodeParameter('chosen', 0),
			signal: typeof context.getExecutionCancelSignal,
		};
	},
};

exports.Probe = class {
	description = {
		displayName: 'Probe',
		name: 'probe',
		group: ['input'],
		version: 1,
		description: 'Tells what n8n does for a node',
		defaults: { name: 'Probe' },
		inputs: ['main'],
		outputs: ['main'],
		usableAsTool: true,
		credentials: [{ name: 'probeApi', required: true, testedBy: 'probeApiTest' }],
		properties: [
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'chosen' },
			{ displayName: 'Address', name: 'address', type: 'string', default: '' },
			{ displayName: 'Words', name: 'words', type: 'string', default: '' },
			{
				displayName: 'Chosen',
				name: 'chosen',
				type: 'resourceLocator',
				default: { mode: 'id', value: '' },
				modes: [{ displayName: 'By ID', name: 'id', type: 'string' }],
			},
		],
	};

	methods = {
		credentialTest: {
			async probeApiTest() {
				return { status: 'OK', message: Object.keys(this.helpers).join(' ') };
			},
		},
	};

	async execute() {
		const operation = this.getNodeParameter('operation', 0);
		return [[{ json: await OPERATIONS[operation](this), pairedItem: { item: 0 } }]];
	}
};
