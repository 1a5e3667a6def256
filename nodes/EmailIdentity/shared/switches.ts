import { NodeOperationError, type INode } from 'n8n-workflow';

import { readFlag } from '../api/resources';

/**
 * Reads a switch of a node. What an expression gives in its place n8n hands on as it is: `TRUE` of a spreadsheet, 1, nothing.
 *
 * @param label what the switch is called in the editor
 * @param value what n8n gives for it
 * @param itemIndex of the input item that is read for; none in a trigger
 * @throws NodeOperationError when that is neither yes nor no: a guess might switch off what should be on
 */
export function readSwitch(
	node: INode,
	label: string,
	value: unknown,
	itemIndex?: number,
): boolean {
	const flag = readFlag(value);
	if (flag !== null) return flag;
	throw new NodeOperationError(node, `${label} is neither on nor off`, {
		itemIndex,
		description: 'Set it by hand, or let its expression give true or false.',
	});
}
