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

const FIELDS = NODES.flatMap(({ description }) => description.properties.flatMap(withInner));

test('each choice offers every value once, and its default is one of them', () => {
	const choices = FIELDS.filter(({ type }) => type === 'options' || type === 'multiOptions');
	expect(choices.length).toBeGreaterThan(20);
	expect(choices.filter(isWrong).map(({ displayName }) => displayName)).toEqual([]);
});

test('an identity or a webhook is chosen from a list, by its ID or by a URL', () => {
	const locators = FIELDS.filter(({ type }) => type === 'resourceLocator');
	expect(locators.length).toBeGreaterThan(5);
	for (const { modes = [] } of locators) {
		const offered = modes.map(({ displayName }) => displayName);
		expect(offered).toEqual(['From List', 'By ID', 'By URL']);
	}
});
