import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { isObject } from '../../api/data/json';
import { isSampleId } from '../../shared/sampleEmails';
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

/** What a trigger put out in this execution. */
interface TriggerOutput {
	/** The name of the trigger node. */
	trigger: string;
	/** At least one. They are about one email, unless somebody pinned several. */
	items: IDataObject[];
}

/** Also as a custom extension, whose types begin with `CUSTOM`. */
const TRIGGER_TYPE = /(?:^|\.)emailIdentityTrigger$/;

const EMAIL_OR_OTHER = "or set 'Email to Answer' to Another Email.";

/** Whether this execution began with an email of Use Sample Email: then nobody must get an email. */
export async function isStartedBySample(item: Item): Promise<boolean> {
	const started = await outputsOfTriggers(item);
	return started.some(({ items }) => items.some((json) => isSampleId(messageIdOf(json))));
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
	const outputs = await outputsOfTriggers(item);
	const emails = distinctEmails(item, outputs);
	const [only] = emails;
	if (only !== undefined) return emails.length === 1 ? only : pairedEmail(item, outputs);

	const json = item.context.getInputData()[item.index]?.json;
	const email = isTool(item) ? undefined : readEmailItem(json);
	if (email !== undefined) return email;
	throw new NodeOperationError(item.context.getNode(), 'There is no email to answer', {
		description: `No Email Identity Trigger before this node started the workflow. Add one before it${isTool(item) ? '.' : `, ${EMAIL_OR_OTHER}`}`,
	});
}

/** Read once for all items. */
async function outputsOfTriggers(item: Item): Promise<TriggerOutput[]> {
	return await item.cache.once('outputs of triggers', async () => readTriggers(item));
}

function readTriggers(item: Item): TriggerOutput[] {
	const { $: nodeNamed } = dataProxy(item);
	const outputs: TriggerOutput[] = [];
	for (const trigger of triggersBefore(item.context)) {
		const node = nodeNamed(trigger);
		if (!node.isExecuted) continue;
		const items = node.all(0).map(({ json }) => json);
		if (items.length > 0) outputs.push({ trigger, items });
	}
	return outputs;
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
	const triggers = parents.filter((parent) => TRIGGER_TYPE.test(parent.type));
	return new Set(triggers.map((trigger) => trigger.name));
}

/**
 * The agent, or in older releases the node before the agent, which may be the trigger: it is among the parents of its children.
 * Triggers that did not start this execution have no data, so it does no harm that children have other parents, too.
 */
function endsAbove(context: Item['context']): string[] {
	const { previousNode } = context.getInputSourceData();
	const children = context.getChildNodes(previousNode, { includeNodeParameters: false });
	return [previousNode, ...children.map(({ name }) => name)];
}

function distinctEmails(item: Item, outputs: TriggerOutput[]): StartingEmail[] {
	const emails = new Map<string, StartingEmail>();
	for (const { trigger, items } of outputs) {
		for (const json of items) {
			const email = toEmailOf(item, trigger, json);
			emails.set(JSON.stringify([trigger, email.id, email.answer]), email);
		}
	}
	return [...emails.values()];
}

/** n8n throws if the item comes from no item of a trigger, or from several. */
function pairedEmail(item: Item, outputs: TriggerOutput[]): StartingEmail {
	const { $: nodeNamed } = dataProxy(item);
	const found: StartingEmail[] = [];
	for (const { trigger } of outputs) {
		try {
			const paired = nodeNamed(trigger).item;
			if (paired !== undefined) found.push(toEmailOf(item, trigger, paired.json));
		} catch {
			// The item comes from another trigger.
		}
	}
	const [only] = found;
	if (only !== undefined && found.length === 1) return only;
	const names = outputs.map(({ trigger }) => `'${trigger}'`).join(', ');
	throw new NodeOperationError(item.context.getNode(), 'It is not clear which email to answer', {
		description: `These triggers have data: ${names}. Run the workflow from one of them, or set 'Email to Answer' to Another Email.`,
	});
}

/** @throws NodeOperationError with Simplify off */
function toEmailOf(item: Item, trigger: string, json: IDataObject): StartingEmail {
	const email = readEmailItem(json);
	if (email !== undefined) return { ...email, trigger };
	throw new NodeOperationError(
		item.context.getNode(),
		`Reply needs the simplified output of '${trigger}'`,
		{
			description: "Turn on 'Simplify' in the trigger, or set 'Email to Answer' to Another Email.",
		},
	);
}

/** @returns undefined if it is no item of the trigger, of Message Get or of Message Parse */
function readEmailItem(json: IDataObject | undefined): StartingEmail | undefined {
	const { thread, delivery } = json ?? {};
	if (!isObject(thread) || !isObject(delivery) || thread.answer === undefined) return undefined;
	return {
		id: textOrNull(delivery.id),
		recipient: textOrNull(delivery.recipient),
		answer: isObject(thread.answer) ? (thread.answer as unknown as ReplyFields) : null,
		noAnswer: textOrNull(thread.noAnswer) as NoAnswerReason | null,
		isSample: isSampleId(delivery.id),
	};
}

/** The ID of a message in an item of the trigger, with Simplify on or off. */
function messageIdOf({ delivery, data }: IDataObject): unknown {
	if (isObject(delivery)) return delivery.id;
	if (isObject(data) && isObject(data.message)) return data.message.id;
	return undefined;
}

function textOrNull(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}
