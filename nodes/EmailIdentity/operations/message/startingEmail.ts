import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { isObject } from '../../api/data/json';
import { isSampleId } from '../../shared/sampleIds';
import type { NoAnswerReason, ReplyFields } from '../../../../lib/email';
import type { Item } from '../operation';
import { isTool } from '../output';

/** The email that started the workflow, as the trigger put it out. Nothing of it can come from a language model. */
export interface StartingEmail {
	/** The name of the trigger node; absent if the email is the input item itself. */
	trigger?: string;
	/** The service's ID of the message; null if unknown, as after Message Parse. */
	id: string | null;
	/** The address that received the email; null if unknown. */
	recipient: string | null;
	/** The fields of a reply; null if the email must not be answered. */
	answer: ReplyFields | null;
	/** Null if the email may be answered. */
	noAnswer: NoAnswerReason | null;
	/** Whether it is one of the emails of Use Sample Email, behind which there is nobody. */
	isSample: boolean;
}

/** What the triggers before a node put out in this execution. */
interface TriggerOutput {
	/** The names of the trigger nodes that have data. */
	triggers: string[];
	/** One, unless several triggers have data, or somebody pinned several emails. Items of one email are its files. */
	emails: StartingEmail[];
	/** Whether one of the emails is a sample, also with Simplify off. */
	isSample: boolean;
	/** A trigger with Simplify off, whose emails are not among those; undefined if there is none. */
	withoutSimplify: string | undefined;
}

/** Behind the name of the package, or `CUSTOM` for a custom extension. */
const TRIGGER_TYPE = '.emailIdentityTrigger';

/** Whether this execution began with an email of Use Sample Email: then nobody must get an email. */
export async function isStartedBySample(item: Item): Promise<boolean> {
	const { isSample } = await outputOfTriggers(item);
	return isSample;
}

/**
 * Finds the email that started the workflow, whatever stands between the trigger and this node.
 *
 * | Email Identity Triggers that ran before the node | the email |
 * | --- | --- |
 * | one | its email |
 * | several, or one with several pinned emails | the one that the input item comes from |
 * | none, as in a sub-workflow or behind Message Get | the input item itself, but not for a tool: there a model can change the item |
 *
 * @throws NodeOperationError if there is none, or if it is not clear which one
 */
export async function findStartingEmail(item: Item): Promise<StartingEmail> {
	const { emails, triggers, withoutSimplify } = await outputOfTriggers(item);
	if (withoutSimplify !== undefined) {
		const message = `Reply needs the simplified output of '${withoutSimplify}'`;
		throw noEmail(item, message, "Turn on 'Simplify' in the trigger");
	}
	const [only] = emails;
	if (only !== undefined) return emails.length === 1 ? only : pairedEmail(item, triggers);

	const json = item.context.getInputData()[item.index]?.json ?? {};
	const email = isTool(item) ? undefined : readEmailItem(json);
	if (email !== undefined) return email;
	throw noEmail(
		item,
		'There is no email to answer',
		'No Email Identity Trigger before this node started the workflow: add one',
	);
}

function noEmail(item: Item, message: string, solution: string): NodeOperationError {
	const another = isTool(item) ? '' : ", or set 'Email to Answer' to Another Email";
	return new NodeOperationError(item.context.getNode(), message, {
		description: `${solution}${another}.`,
	});
}

/** Read once for all items. */
async function outputOfTriggers(item: Item): Promise<TriggerOutput> {
	return await item.cache.once('output of triggers', async () => readTriggers(item));
}

function readTriggers(item: Item): TriggerOutput {
	const output: TriggerOutput = {
		triggers: [],
		emails: [],
		isSample: false,
		withoutSimplify: undefined,
	};
	const { $: nodeNamed } = dataProxy(item);
	for (const trigger of triggersBefore(item.context)) {
		const node = nodeNamed(trigger);
		if (!node.isExecuted) continue;
		output.triggers.push(trigger);
		const known = new Map<string, StartingEmail>();
		for (const { json } of node.all(0)) {
			output.isSample ||= isSampleId(messageIdOf(json));
			const email = readEmailItem(json);
			if (email === undefined) output.withoutSimplify = trigger;
			else known.set(JSON.stringify([email.id, email.answer]), { ...email, trigger });
		}
		output.emails.push(...known.values());
	}
	return output;
}

function dataProxy({ context, index }: Item): DataProxy {
	return context.getWorkflowDataProxy(index) as unknown as DataProxy;
}

/** The part of n8n's data proxy that is used here. It throws if n8n cannot tell the item. */
interface DataProxy {
	$(name: string): {
		isExecuted: boolean;
		all(output: number): Array<{ json: IDataObject }>;
		item: { json: IDataObject } | undefined;
	};
}

/** n8n knows no nodes before an agent's tool: there the search goes on from the node that gave the tool its items. */
function triggersBefore(context: Item['context']): Set<string> {
	const { name, type } = context.getNode();
	const ends = type.endsWith('Tool') ? endsAbove(context) : [name];
	const parents = ends.flatMap((end) =>
		context.getParentNodes(end, { includeNodeParameters: false }),
	);
	const triggers = parents.filter((parent) => parent.type.endsWith(TRIGGER_TYPE));
	return new Set(triggers.map((trigger) => trigger.name));
}

/**
 * The agent, or in older releases the node before the agent, which may be the trigger: it is among the parents of its children.
 * Triggers that did not start this execution have no data, so it does no harm that children have other parents, too.
 */
function endsAbove(context: Item['context']): string[] {
	const previousNode = context.getExecuteData().source?.main?.[0]?.previousNode;
	// n8n's MCP Server Trigger calls a tool with no node before it.
	if (previousNode === undefined) return [];
	const children = context.getChildNodes(previousNode, { includeNodeParameters: false });
	return [previousNode, ...children.map(({ name }) => name)];
}

/** n8n throws if the item comes from no item of a trigger, or from several. */
function pairedEmail(item: Item, triggers: string[]): StartingEmail {
	const { $: nodeNamed } = dataProxy(item);
	const found: StartingEmail[] = [];
	for (const trigger of triggers) {
		try {
			const email = readEmailItem(nodeNamed(trigger).item?.json ?? {});
			if (email !== undefined) found.push({ ...email, trigger });
		} catch {
			// The item comes from another trigger.
		}
	}
	const [only] = found;
	if (only !== undefined && found.length === 1) return only;
	const names = triggers.map((trigger) => `'${trigger}'`).join(', ');
	throw noEmail(
		item,
		'It is not clear which email to answer',
		`These triggers have data: ${names}. Run the workflow from one of them`,
	);
}

/** @returns undefined if it is no item of the trigger, of Message Get or of Message Parse */
function readEmailItem({ thread, delivery }: IDataObject): StartingEmail | undefined {
	if (!isObject(thread) || !isObject(delivery) || thread.answer === undefined) return undefined;
	const email = {
		id: textOrNull(delivery.id),
		recipient: textOrNull(delivery.recipient),
		isSample: isSampleId(delivery.id),
	};
	if (isObject(thread.answer)) {
		return { ...email, answer: thread.answer as unknown as ReplyFields, noAnswer: null };
	}
	return { ...email, answer: null, noAnswer: readReason(thread.noAnswer) };
}

/** The ID of a message in an item of the trigger, with Simplify on or off. */
function messageIdOf({ delivery, data }: IDataObject): unknown {
	if (isObject(delivery)) return delivery.id;
	if (isObject(data) && isObject(data.message)) return data.message.id;
	return undefined;
}

const REASONS: readonly NoAnswerReason[] = [
	'automatic',
	'noAddress',
	'noReplyAddress',
	'ownAddress',
];

/** In a sub-workflow, an item can be anything. */
function readReason(given: unknown): NoAnswerReason {
	return REASONS.find((reason) => reason === given) ?? 'automatic';
}

function textOrNull(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}
