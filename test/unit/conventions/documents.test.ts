import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import messageSchema from '../../../nodes/EmailIdentity/__schema__/v1.0.0/message/get.json';
import parseSchema from '../../../nodes/EmailIdentity/__schema__/v1.0.0/message/parse.json';
import triggerSchema from '../../../nodes/EmailIdentity/__schema__/v2.0.0.json';
import { EmailIdentity } from '../../../nodes/EmailIdentity/EmailIdentity.node';
import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import type { SimplifiedEmail } from '../../../nodes/EmailIdentity/shared/reading/simplifiedEmail';

/** The names of all fields, also of nested ones. */
type Fields<Value> =
	Value extends ReadonlyArray<infer Item>
		? Fields<Item>
		: Value extends object
			? { [Name in keyof Value]-?: Fields<NonNullable<Value[Name]>> }
			: 'value';

type SchemaFields<Schema> = Schema extends { properties: infer Properties }
	? { [Name in keyof Properties]: SchemaFields<Properties[Name]> }
	: Schema extends { items: infer Item }
		? SchemaFields<Item>
		: 'value';

/** These are only there on demand, or if the email could not be read. */
type Shown = Fields<Omit<SimplifiedEmail, 'headers' | 'parsed' | 'warning'>>;

/** The types fail to compile if a field is missing in one of them. */
const ofOutput = (fields: SchemaFields<typeof messageSchema>): Shown => fields;
const ofSchema = (fields: Shown): SchemaFields<typeof messageSchema> => fields;

test('the schemas have all fields of an email, also nested ones', () => {
	const { attachment, ...ofTrigger } = triggerSchema.properties;

	expect([ofOutput, ofSchema]).toHaveLength(2);
	expect(ofTrigger).toEqual(messageSchema.properties);
	expect(parseSchema).toEqual(messageSchema);
	expect(attachment).toEqual(ofTrigger.attachments.items);
});

const page = (name: string) => readFileSync(join(__dirname, '../../..', name), 'utf8');
const README = page('README.md');
const TRIGGER = page('docs/trigger.md');

/** The cells of the tables under a heading, without links. */
function rowsUnder(text: string, heading: string): string[][] {
	const [, section = ''] = text.split(new RegExp(`^#+ ${heading}$`, 'm'));
	const lines = section.split(/^#/m)[0]?.split('\n') ?? [];
	return lines
		.filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
		.map((line) => line.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
		.map((line) => line.slice(2, -2).split(' | '))
		.slice(1);
}

const namesIn = (cell = '') =>
	cell
		.replaceAll('`', '')
		.split(', ')
		.filter((name) => name !== '');

const { delivery } = triggerSchema.properties;
const { report, authentication } = delivery.properties;

test.each(Object.keys(delivery.properties))('delivery.%s is documented', (name) => {
	expect(`${README}${TRIGGER}`).toContain(`\`delivery.${name}\``);
});

test.each([
	['Reports', report.properties, report.properties.recipients.items.properties],
	[
		'Sender check',
		authentication.properties,
		{
			...authentication.properties.signatures.items.properties,
			...authentication.properties.reported.properties,
		},
	],
])(
	'the tables under %s have a row for each field, and name the nested ones',
	(heading, own, nested) => {
		const rows = rowsUnder(TRIGGER, heading);
		const words = rows.flat().join(' ');

		expect(rows.flatMap(([name]) => namesIn(name)).sort()).toEqual(Object.keys(own).sort());
		expect(Object.keys(nested).filter((name) => !words.includes(`\`${name}\``))).toEqual([]);
	},
);

const trigger = new EmailIdentityTrigger().description;

const labels = (fields: INodeProperties[]) =>
	fields
		.filter(({ type }) => type !== 'hidden' && type !== 'notice')
		.map(({ displayName }) => displayName);

const fieldsIn = (collection: string) =>
	trigger.properties.find(({ name }) => name === collection)?.options as INodeProperties[];

test("README has the trigger's parameters, filters and options in the order of the panel", () => {
	const rows = rowsUnder(README, 'Email Identity Trigger');
	const listed = (label: string) => namesIn(rows.find(([name]) => name === label)?.[1]);
	// One Identity adds it.
	const always = trigger.properties.filter(({ name }) => name !== 'identityId');

	expect(rows.map(([name]) => name)).toEqual(labels(always));
	for (const collection of ['Filters', 'Options', 'Advanced'])
		expect(listed(collection)).toEqual(labels(fieldsIn(collection.toLowerCase())));
});

test('docs/trigger.md describes all filters', () => {
	const described = rowsUnder(TRIGGER, 'Filters').flatMap(([name]) => namesIn(name));

	expect(described.sort()).toEqual(labels(fieldsIn('filters')).sort());
});

test('README lists the operations of each resource', () => {
	const { properties } = new EmailIdentity().description;
	const named = (name: string) => properties.filter((property) => property.name === name);
	const [resources] = named('resource');
	const expected = (resources?.options as INodePropertyOptions[]).map(({ name, value }) => [
		name,
		...named('operation')
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(value))
			.flatMap(({ options }) => (options as INodePropertyOptions[]).map((option) => option.name))
			.sort(),
	]);
	const listed = rowsUnder(README, 'Email Identity').map(([name = '', operations]) => [
		name,
		...namesIn(operations).sort(),
	]);

	expect(listed).toEqual(expected);
});
