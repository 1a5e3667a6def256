import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { EmailIdentity } from '../../../nodes/EmailIdentity/EmailIdentity.node';
import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

const NODES = [new EmailIdentity(), new EmailIdentityTrigger()];

const withInner = (field: INodeProperties): INodeProperties[] => [
	field,
	...(field.type === 'collection' ? (field.options as INodeProperties[]) : []).flatMap(withInner),
];

const isWrong = ({ options, default: initial }: INodeProperties): boolean => {
	const values = (options as INodePropertyOptions[]).map(({ value }): unknown => value);
	const isRepeated = new Set(values).size < values.length;
	return isRepeated || values.includes('') || [initial].flat().some((one) => !values.includes(one));
};

test('each choice offers every value once, and its default is one of them', () => {
	const fields = NODES.flatMap(({ description }) => description.properties.flatMap(withInner));
	const choices = fields.filter(({ type }) => type === 'options' || type === 'multiOptions');
	expect(choices.length).toBeGreaterThan(20);
	expect(choices.filter(isWrong).map(({ displayName }) => displayName)).toEqual([]);
});
