/** The error, what it says it was caused by, and so on. */
const chainOf = (error) => {
	const links = [];
	for (let link = error; link && links.length < 10; link = link.cause ?? link.errorResponse) {
		const { code, httpCode } = link;
		links.push({ code, httpCode });
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

	async failedItem() {
		return { error: 'What happened', message: 'What to do' };
	},

	async look(context) {
		return { signal: typeof context.getExecutionCancelSignal };
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
		credentials: [{ name: 'probeApi', required: true }],
		properties: [
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'look' },
			{ displayName: 'Address', name: 'address', type: 'string', default: '' },
		],
	};

	async execute() {
		const operation = this.getNodeParameter('operation', 0);
		return [[{ json: await OPERATIONS[operation](this), pairedItem: { item: 0 } }]];
	}
};
