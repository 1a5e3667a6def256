import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
	'the README shows the answer of a service of the %s dialect to curl',
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

it("the trigger's table has all its parameters in the order of the editor", () => {
	const [table = ''] = /^### Email Identity Trigger\n[\s\S]+?(?=\n\n[^|\n])/m.exec(readme) ?? [];
	const labels = [...table.matchAll(/^\| ([A-Z][\w ]+?) \|/gm)].map(([, label]) => label);
	const shown = triggerParameters.filter(
		({ name, type }) => name !== 'identityId' && type !== 'hidden' && type !== 'notice',
	);
	expect(labels).toEqual(shown.map(({ displayName }) => displayName));
});
