import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type {
	INodeParameterResourceLocator,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { EmailIdentityApi } from '../../../credentials/EmailIdentityApi.credentials';
import { EmailIdentity } from '../../../nodes/EmailIdentity/EmailIdentity.node';
import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

/** Rules in n8n's guidelines that none of its linters checks. `docs/maintainers/verification.md` names this file. */

const project = join(__dirname, '../../..');

const nodes = [new EmailIdentity(), new EmailIdentityTrigger()];
const credential = new EmailIdentityApi();

type Nested = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** A field with the fields within it. */
function withNested(property: INodeProperties): INodeProperties[] {
	const options: Nested[] = property.options ?? [];
	const nested = options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...nested.flatMap(withNested)];
}

const properties = [
	...nodes.flatMap(({ description }) => description.properties),
	...credential.properties,
].flatMap(withNested);

const named = (name: string) => properties.filter((property) => property.name === name);

const operations = named('operation').flatMap(({ options = [], displayOptions }) =>
	(options as INodePropertyOptions[]).map((option) => ({
		...option,
		resource: String(displayOptions?.show?.resource?.[0]),
	})),
);

const manifest: unknown = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));

it("n8n's own tool finds the package eligible for n8n Cloud", () => {
	const tool = join(project, 'node_modules/.bin/n8n-node');
	const env = { ...process.env, FORCE_COLOR: '0' };
	const options = { cwd: project, encoding: 'utf8', env } as const;
	const output = execFileSync(process.execPath, [tool, 'cloud-support'], options);
	expect(stripVTControlCharacters(output)).toContain('Status: eligible');
});

it('package.json has the name, keyword, licence, author and GitHub repository that n8n requires', () => {
	expect(manifest).toMatchObject({
		name: expect.stringMatching(/^(@[^/]+\/)?n8n-nodes-/),
		license: 'MIT',
		keywords: expect.arrayContaining(['n8n-community-node-package']),
		author: { name: expect.stringMatching(/./), email: expect.stringContaining('@') },
		repository: {
			url: expect.stringMatching(/^git\+https:\/\/github\.com\/[^/]+\/[^/]+\.git$/),
		},
	});
});

it('the API key is a password field', () => {
	const secret = credential.properties.filter(({ name }) =>
		/key|secret|password|token/i.test(name),
	);
	expect(secret.map(({ name, typeOptions }) => [name, typeOptions?.password])).toEqual([
		['apiKey', true],
	]);
});

it.each(operations)(
	'$resource: the action "$action" has no article and names the resource',
	(operation) => {
		const { action = '', resource } = operation;
		expect(action).not.toMatch(/\b(?:an?|the)\b/i);
		expect(action.toLowerCase()).toContain(resource.replace(/y$/, ''));
		// Sentence case.
		expect(action).toMatch(/^[A-Z][a-z ]+$/);
	},
);

it.each(operations)(
	'$resource: "$name" is in title case and described in other words',
	(operation) => {
		const { action = '', name, description = '' } = operation;
		expect(name).toMatch(/^[A-Z][a-z]+(?: (?:and|for|or|[A-Z][a-z]+))*$/);
		expect(description).toMatch(/^[A-Z].*[^.]$/);
		expect(description).not.toBe(action);
	},
);

it('webhooks have the operations that n8n suggests, under the suggested names', () => {
	const ofWebhooks = operations.filter(({ resource }) => resource === 'webhook');
	const suggested = ['Create', 'Create or Update', 'Delete', 'Get', 'Get Many', 'Update'];
	expect(ofWebhooks.map(({ name }) => name)).toEqual(expect.arrayContaining(suggested));
});

it('single resources are chosen with a resource locator, from a list first', () => {
	const locators = properties.filter(({ type }) => type === 'resourceLocator');
	expect(locators.length).toBeGreaterThan(3);
	const withList = locators.filter(({ modes = [] }) => modes.some(({ type }) => type === 'list'));
	expect(withList.length).toBeGreaterThan(3);
	for (const { default: chosen, modes = [] } of withList) {
		const names = modes.map(({ displayName }) => displayName);
		expect(names.filter((name) => name !== 'By Email')).toEqual(['From List', 'By ID']);
		// A reply knows the address that received the email.
		expect(['list', 'address']).toContain((chosen as INodeParameterResourceLocator).mode);
	}
});

it('placeholders begin with e.g.', () => {
	const examples = properties.flatMap(({ type, placeholder }) =>
		placeholder === undefined || type === 'collection' || type === 'fixedCollection'
			? []
			: [placeholder],
	);
	expect(examples.length).toBeGreaterThan(5);
	expect(examples.filter((text) => !text.startsWith('e.g. '))).toEqual([]);
});

it('each choice offers every value once, and its default is one of them', () => {
	const choices = properties.filter(({ type }) => type === 'options' || type === 'multiOptions');
	expect(choices.length).toBeGreaterThan(20);
	for (const { options = [], default: initial } of choices) {
		const values = (options as INodePropertyOptions[]).map(({ value }) => value);
		expect(values).not.toContain('');
		expect(new Set(values).size).toBe(values.length);
		expect(values).toEqual(expect.arrayContaining([initial].flat()));
	}
});

it('every field has a default, and every hint has at most 120 characters', () => {
	const shown = properties.filter(({ type }) => type !== 'notice');
	expect(shown.filter((field) => !('default' in field)).map(({ name }) => name)).toEqual([]);
	const hints = properties.flatMap(({ hint = '', type, displayName }) =>
		type === 'notice' ? [displayName] : [hint],
	);
	expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
});

it('everything that the editor shows is in Latin letters', () => {
	const shown = JSON.stringify([
		nodes.map(({ description }) => description),
		credential.properties,
	]);
	expect(shown.match(/\p{L}/gu)!.filter((letter) => !/\p{Script=Latin}/u.test(letter))).toEqual([]);
});
