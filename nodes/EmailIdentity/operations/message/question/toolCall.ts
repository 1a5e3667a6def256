import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import type { Item } from '../../operation';
import type { ShownArgument, ToolCall } from './question';

/** Characters of all arguments. Beyond that, nobody would read what they approve. */
const MAX_CHARACTERS = 20_000;

/** What `{{ $tool.parameters }}`, in n8n's default message, becomes within a text. */
const OBJECT_AS_TEXT = '[object Object]';

/**
 * Characters that change how others look, or hide: a person would not see what the tool gets. The joiners between letters are no
 * danger, and needed in some scripts.
 */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Whether the node is the tool that n8n makes for a person's review of an agent's tool calls. */
export function isReviewTool({ context }: Item): boolean {
	return context.getNode().type.endsWith('HitlTool');
}

/** Whether the node is a tool that an agent calls itself. */
export function isOrdinaryTool(item: Item): boolean {
	return item.context.getNode().type.endsWith('Tool') && !isReviewTool(item);
}

/**
 * A review is worth nothing if the model chooses who reviews. It can lead `$json`, `$input`, `$fromAI` and `$tool`; what other nodes
 * put out, and variables, it cannot.
 *
 * @throws NodeOperationError if the expression in To reads anything else
 */
export function requireOwnRecipient({ context, index }: Item): void {
	const written = context.getNodeParameter('to', index, '', { rawExpressions: true });
	if (typeof written !== 'string' || !written.startsWith('=')) return;
	if (!/\$(?!\(|vars\b)|fromAI/i.test(written)) return;
	throw new NodeOperationError(
		context.getNode(),
		"The agent's model could choose who reviews the call",
		{
			description:
				"Enter a fixed address in 'To', a variable ($vars), or an expression that names a node, such as $('Settings').first().json.reviewer.",
		},
	);
}

/**
 * The call that a review tool asks about.
 *
 * @throws NodeOperationError if its arguments are too long to be shown whole
 */
export function readToolCall({ context, index }: Item): ToolCall {
	const { toolParameters } = context.getInputData()[index]?.json ?? {};
	const parameters = shownArguments(toolParameters);
	const length = parameters.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
	if (length > MAX_CHARACTERS) {
		throw new NodeOperationError(context.getNode(), 'The tool call is too long for a review', {
			description: `Its arguments have ${length} characters, and at most ${MAX_CHARACTERS} can be shown in an email.`,
		});
	}
	const tools = context.getParentNodes(context.getNode().name, {
		connectionType: 'ai_tool',
		depth: 1,
	});
	const toolCall: ToolCall = { parameters };
	if (tools.length === 1) toolCall.tool = tools[0]?.name;
	return toolCall;
}

/** The arguments have lines of their own, so the message needs no text that stands for them. */
export function withoutObjectText(message: string): string {
	return message.replaceAll(OBJECT_AS_TEXT, '').trim();
}

function shownArguments(toolParameters: unknown): ShownArgument[] {
	if (typeof toolParameters !== 'object' || toolParameters === null) {
		return [{ name: 'Input', value: shown(toolParameters ?? '') }];
	}
	return Object.entries(toolParameters as IDataObject).map(([name, value]) => ({
		name: shown(name).replace(/\n/g, '\\n'),
		value: shown(value),
	}));
}

function shown(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
	return text
		.replace(/\r\n?/g, '\n')
		.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
