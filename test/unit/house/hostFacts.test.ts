import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HOST_FACTS } from '../../hostFacts/facts';
import { importedFromWorkflow } from '../../hostFacts/facts/packages';

const project = resolve(__dirname, '../../..');

/** A docstring's words go on behind the stars of its lines. */
const inOneLine = (text: string) => text.replace(/\s+(?:\*\s+)?/g, ' ');

const named = HOST_FACTS.map((fact) => [fact.name, fact] as const);

it('calls each fact by a name of its own', () => {
	const names = HOST_FACTS.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
});

it.each(named)('%s: the code leans on it where the table says', (_, { places }) => {
	expect(places).not.toEqual([]);
	for (const { file, words } of places) {
		expect(file).toMatch(/^(nodes|credentials)\//);
		expect(inOneLine(readFileSync(join(project, file), 'utf8'))).toContain(inOneLine(words));
	}
});

it('knows what the code needs of n8n-workflow, types left out', () => {
	expect(importedFromWorkflow()).toEqual(
		expect.arrayContaining(['NodeApiError', 'NodeConnectionTypes', 'sleep', 'UserError']),
	);
	expect(importedFromWorkflow()).not.toContain('IWebhookFunctions');
});
