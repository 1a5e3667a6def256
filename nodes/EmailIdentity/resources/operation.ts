import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Session } from './session';

/** One entry of an Operation drop-down: what the user fills in, and what is then done. */
export interface Operation {
	/** The fields below the Operation drop-down; shown for this operation only. */
	description: INodeProperties[];
	/**
	 * Does it for one input item.
	 *
	 * @returns the JSON of the output items, in their order
	 * @throws NodeApiError or NodeOperationError that says what happened and what to do
	 */
	execute(session: Session, itemIndex: number): Promise<IDataObject[]>;
}

/** A resource of the API: the Operation drop-down and what is behind each of its entries. */
export interface Resource {
	/** The Operation drop-down itself. */
	operationField: INodeProperties;
	/** By the value in the drop-down. */
	operations: Record<string, Operation>;
}

/** All fields of a resource, each shown only where it belongs. */
export function fieldsOf(
	name: string,
	{ operationField, operations }: Resource,
): INodeProperties[] {
	const resource = [name];
	const shown = (field: INodeProperties, show: Record<string, string[]>): INodeProperties => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...field.displayOptions?.show, ...show } },
	});
	return [
		shown(operationField, { resource }),
		...Object.entries(operations).flatMap(([operation, { description }]) =>
			description.map((field) => shown(field, { resource, operation: [operation] })),
		),
	];
}
