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
import { createKeyedQueue, type KeyedQueue } from '../lib/concurrency';
import { selectFields } from './simplify';

/** What all items of one execution share. */
export interface Session {
	context: IExecuteFunctions;
	service: EmailIdentityService;
	/** How many requests, and so how many items, may be under way at a time. */
	maxConcurrentRequests: number;
	/**
	 * Changes one subscription (by ID or URL) when the work for it before has ended: otherwise a request that is repeated
	 * after a failure would undo what a later item did meanwhile.
	 */
	inTurn: KeyedQueue;
	/** Answers by question, for all items that ask the same. One that failed is asked again. */
	once<Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer>;
	forget(question: string): void;
}

/** One entry of an Operation drop-down: its words, its fields and what it does. */
export interface Operation {
	name: string;
	value: string;
	description: string;
	action: string;
	/** Shown for this operation only. */
	fields: INodeProperties[];
	/**
	 * Does the operation for one input item.
	 *
	 * @returns the JSON of the output items, in their order
	 * @throws NodeApiError or NodeOperationError that says what happened and what to do
	 */
	execute(session: Session, itemIndex: number): Promise<IDataObject[]>;
}

const DEFAULT_MAX_CONCURRENT_REQUESTS = 20;

/** In collections of options. An agent has few items, and has no use for it. */
export const concurrencyField: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_MAX_CONCURRENT_REQUESTS,
	description:
		'How many requests may be under way at the same time. Lower it if the server refuses many at once.',
	displayOptions: { hide: { '@tool': [true] } },
};

/** In these modes a person waits for the execution. */
const WATCHED_MODES = ['manual', 'chat'];

/** With Execute Step a dead service is tried for seconds, in production for two minutes. */
function openSession(context: IExecuteFunctions): Session {
	const bound = ['options', 'auditOptions']
		.map((collection) => context.getNodeParameter(`${collection}.maxConcurrentRequests`, 0, null))
		.find((given) => given !== null);
	// The first item's value counts for all.
	const maxConcurrentRequests = Math.max(
		1,
		Math.floor(Number(bound ?? DEFAULT_MAX_CONCURRENT_REQUESTS)) || 1,
	);
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
 * Does an operation for every input item, several at a time.
 *
 * @returns the output items in the order of the input, each paired with the item it came from. When the node continues on
 * failure, a failed item gives one item with its error
 * @throws the error of the first failed item, in the order of the input, when the node does not continue on failure; no
 * further item begins then
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const session = openSession(context);
	const signal = context.getExecutionCancelSignal();
	const items = context.getInputData();
	const results = new Array<INodeExecutionData[]>(items.length);
	const failures = new Map<number, Error>();
	let next = 0;

	const runItem = async (item: number): Promise<void> => {
		const pairedItem = { item };
		try {
			const output = selectFields(context, item, await operation.execute(session, item));
			results[item] = output.map((json) => ({ json, pairedItem }));
		} catch (error) {
			const itemError = toItemError(context, error as Error, item);
			if (context.continueOnFail()) {
				results[item] = [{ json: toFailedJson(itemError), pairedItem }];
			} else {
				failures.set(item, itemError);
			}
		}
	};
	const worker = async (): Promise<void> => {
		while (next < items.length && failures.size === 0 && signal?.aborted !== true) {
			await runItem(next++);
		}
	};
	const workers = Math.min(session.maxConcurrentRequests, items.length);
	await Promise.all(Array.from({ length: workers }, worker));

	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
	return results.flat();
}

interface Explained {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

/** The error of one item, with the item's number, which n8n shows beside the message. Items may share a failed request. */
function toItemError(
	context: IExecuteFunctions,
	error: Error,
	itemIndex: number,
): Explained & Error {
	const { message, description, httpCode } = error as Explained;
	const details = { description: description ?? undefined, itemIndex };
	return error instanceof NodeApiError
		? new NodeApiError(
				context.getNode(),
				{},
				{ message, httpCode: httpCode ?? undefined, ...details },
			)
		: new NodeOperationError(
				context.getNode(),
				error instanceof NodeOperationError ? message : error,
				details,
			);
}

/**
 * What a failed item gives when the node continues.
 *
 * n8n knows a failed item by its keys (`handleNodeErrorOutput`). Only these two are known to both of its lines: 2.x takes
 * `details`, too, while 1.x treats an item that has anything else as one that did not fail. On the error output n8n adds
 * the fields of the input item.
 */
function toFailedJson({ message, description }: Explained): IDataObject {
	return { error: message, ...(description ? { message: description } : {}) };
}
