import type { INodeProperties } from 'n8n-workflow';

import { EmailIdentity } from '../../../nodes/EmailIdentity/EmailIdentity.node';

const isExpression = (value: unknown): boolean => JSON.stringify(value).includes('"=');

function fieldsIn(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		const inner = (field.options ?? []).filter(
			(option): option is INodeProperties => 'type' in option,
		);
		return [field, ...fieldsIn(inner)];
	});
}

/** In n8n 2.41, a model's arguments are laid over the item of a tool, also those that the tool does not ask for. */
test('no field of the action node takes a value from the item by default, which a model can change', () => {
	const fields = fieldsIn(new EmailIdentity().description.properties);
	expect(fields.length).toBeGreaterThan(50);
	const led = fields.filter((field) => isExpression(field.default)).map(({ name }) => name);
	expect(led).toEqual([]);
});
