import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { triggerParameters } from '../../nodes/EmailIdentity/trigger/parameters';
import { dialectNames, startSandbox } from '../../sandbox';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

/** The fields of an answer, without what is in them. */
const shapeOf = (value: unknown): unknown =>
	value !== null && typeof value === 'object'
		? Object.fromEntries(
				Object.entries(value)
					.sort()
					.map(([name, member]) => [name, shapeOf(member)]),
			)
		: typeof value;

it.each(dialectNames)(
	'what curl answers for a service of the %s dialect is shown',
	async (dialect) => {
		const sandbox = await startSandbox({ dialect });
		try {
			const headers = { authorization: `Bearer ${sandbox.accounts.owner.apiKey}` };
			const answer = (await (await fetch(`${sandbox.baseUrl}/me`, { headers })).json()) as unknown;
			const shown = [...readme.matchAll(/```json\n(\{.+\})\n```/g)].map(([, json]) => json!);
			expect(shown.map((json) => shapeOf(JSON.parse(json)))).toContainEqual(shapeOf(answer));
		} finally {
			await sandbox.stop();
		}
	},
);

it('the table of the trigger has all its parameters, in the order of the editor', () => {
	const [table = ''] = /^### Email Identity Trigger\n[\s\S]+?(?=\n\n[^|\n])/m.exec(readme) ?? [];
	const labels = [...table.matchAll(/^\| ([A-Z][\w ]+?) \|/gm)].map(([, label]) => label);
	const shown = triggerParameters.filter(({ name }) => name !== 'identityId');
	expect(labels).toEqual(shown.map(({ displayName }) => displayName));
});

it('what is called by a name in the tutorial is called so in the editor', () => {
	const tutorial = readme.slice(readme.indexOf('## Tutorial'), readme.indexOf('## An email as'));
	const labels = triggerParameters.flatMap(({ displayName, options = [] }: INodeProperties) => [
		displayName,
		...options.map((option) => ('displayName' in option ? option.displayName : option.name)),
	]);
	const named = [
		'Receive For',
		'One Identity',
		'Output',
		'One Item per Attachment',
		'Attachments',
		'Use Sample Email',
	];
	for (const name of named) {
		expect(tutorial).toContain(`**${name}**`);
		expect(labels).toContain(name);
	}
});

it('has the sections of n8n’s template for community packages', () => {
	const sections = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
	const template = [
		'Installation',
		'Operations',
		'Credentials',
		'Usage',
		'Compatibility',
		'Resources',
	];
	expect(sections).toEqual(expect.arrayContaining(template));
});
