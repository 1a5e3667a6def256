import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Entry } from '../api/types';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The same field where what it does to the output has to be said. */
export function simplifyFieldWith(hint: string): INodeProperties {
	return { ...simplifyField, hint };
}

/** Whether the user wants the documented shape rather than the service's own. */
export function isSimplified(context: IExecuteFunctions, itemIndex: number): boolean {
	return context.getNodeParameter('simplify', itemIndex) as boolean;
}

/**
 * The output for one object of the service.
 *
 * @param toShape brings it into the documented shape; not used when the user wants the service's own
 */
export function toOutput(
	context: IExecuteFunctions,
	itemIndex: number,
	entry: Entry,
	toShape: (entry: Entry) => object,
): IDataObject {
	return isSimplified(context, itemIndex) ? { ...toShape(entry) } : entry;
}

/**
 * Takes the documented fields out of all that is known of a resource.
 *
 * @param fields in the order in which the editor's table shows them, what people look at first
 */
export function pickFields<Shape extends object, Field extends keyof Shape>(
	shape: Shape,
	fields: readonly Field[],
): Pick<Shape, Field> {
	return Object.fromEntries(fields.map((field) => [field, shape[field]])) as Pick<Shape, Field>;
}
