import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { WATCHED } from '../api/retry';
import { createService, type EmailIdentityService } from '../api/service';
import { createKeyedQueue, Turns, type KeyedQueue } from '../lib/concurrency';
import { selectFields } from './simplify';

/** Shared by all items of an execution. */
export interface Session {
	context: IExecuteFunctions;
	service: EmailIdentityService;
	/** The maximum number of requests, and so of items, at the same time. */
	maxConcurrentRequests: number;
	/**
	 * Changes the same subscription (by ID or URL) one item after another. Otherwise a repeated request could undo the change
	 * of a later item.
	 */
	inTurn: KeyedQueue;
	/** Asks the same question once for all items, and again if it failed. */
	once<Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer>;
	forget(question: string): void;
}

/** An entry of an Operation drop-down. */
export interface Operation {
	name: string;
	value: string;
	description: string;
	action: string;
	/** Shown for this operation only. */
	fields: INodeProperties[];
	/** Runs the operation for one input item. @returns the JSON of the output items */
	execute(session: Session, itemIndex: number): Promise<IDataObject[]>;
}

const DEFAULT_MAX_CONCURRENT_REQUESTS = 20;

/** Hidden from agents, which have few items. */
export const concurrencyField: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_MAX_CONCURRENT_REQUESTS,
	description:
		'How many requests to send at the same time. Lower it if the server limits requests.',
	displayOptions: { hide: { '@tool': [true] } },
};

/** In these modes, a user is waiting: failed requests are repeated for seconds, not for two minutes as in production. */
const WATCHED_MODES = ['manual', 'chat'];

function openSession(context: IExecuteFunctions): Session {
	const bound = ['options', 'auditOptions']
		.map((collection) => context.getNodeParameter(`${collection}.maxConcurrentRequests`, 0, null))
		.find((given) => given !== null);
	// The first item's value counts for all.
	const given = Math.floor(Number(bound ?? DEFAULT_MAX_CONCURRENT_REQUESTS));
	const maxConcurrentRequests = Math.max(1, given || 1);
	const retry = WATCHED_MODES.includes(context.getMode()) ? WATCHED : {};
	const answers = new Map<string, Promise<unknown>>();
	return {
		context,
		service: createService(context, { shareReads: true, maxConcurrentRequests, retry }),
		maxConcurrentRequests,
		inTurn: createKeyedQueue(),
		async once<Answer>(question: string, ask: () => Promise<Answer>) {
			const answer = (answers.get(question) as Promise<Answer> | undefined) ?? ask();
			answers.set(question, answer);
			answer.catch(() => answers.get(question) === answer && answers.delete(question));
			return await answer;
		},
		forget: (question) => void answers.delete(question),
	};
}

/**
 * Runs an operation for every input item, several at a time. The output is in the order of the input.
 *
 * @throws the error of the first failed item, unless the node continues on failure; no more items are started then
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const session = openSession(context);
	const signal = context.getExecutionCancelSignal();
	const turns = new Turns(session.maxConcurrentRequests);
	let isStopped = false;

	const runItem = async (item: number): Promise<Error | INodeExecutionData[]> => {
		const pairedItem = { item };
		if (isStopped || signal?.aborted) return [];
		try {
			const output = selectFields(context, item, await operation.execute(session, item));
			return output.map((json) => ({ json, pairedItem }));
		} catch (error) {
			const itemError = toItemError(context, error as Error, item);
			if (context.continueOnFail()) return [{ json: toFailedJson(itemError), pairedItem }];
			isStopped = true;
			return itemError;
		}
	};
	const results = await Promise.all(
		context
			.getInputData()
			.map(async (_item, index) => await turns.run(async () => await runItem(index))),
	);
	return results.flatMap((result) => {
		if (result instanceof Error) throw result;
		return result;
	});
}

interface Explained {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

/** The error of one item, with the item's index, which n8n shows. Several items may share a failed request. */
function toItemError(
	context: IExecuteFunctions,
	error: Error,
	itemIndex: number,
): Explained & Error {
	const { message, description, httpCode } = error as Explained;
	const details = { description: description ?? undefined, itemIndex };
	const node = context.getNode();
	if (error instanceof NodeApiError) {
		return new NodeApiError(node, {}, { message, httpCode: httpCode ?? undefined, ...details });
	}
	const cause = error instanceof NodeOperationError ? message : error;
	return new NodeOperationError(node, cause, details);
}

/**
 * The output of a failed item when the node continues.
 *
 * n8n recognises a failed item by its keys (`handleNodeErrorOutput`). Both versions accept only these two: 2.x also accepts
 * `details`, but 1.x treats an item with any other key as successful. On the error output, n8n adds the fields of the input
 * item.
 */
function toFailedJson({ message, description }: Explained): IDataObject {
	return { error: message, ...(description ? { message: description } : {}) };
}
