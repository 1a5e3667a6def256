import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../../e2e/driver';
import type { HostFact } from '../hostFact';
import { withLibrariesOf } from '../sources';

const PUBLISHED = ['nodes', 'credentials'];

/** The names that our code imports from `n8n-workflow`, types left out: only these have to be there when it runs. */
export function importedFromWorkflow(): string[] {
	const names = PUBLISHED.flatMap((folder) =>
		readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.flatMap((file) => importsOf(join(projectFolder, folder, file))),
	);
	return [...new Set(names)].sort();
}

function importsOf(path: string): string[] {
	const { statements } = ts.createSourceFile(
		path,
		readFileSync(path, 'utf8'),
		ts.ScriptTarget.Latest,
	);
	return statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
		const bindings = importClause?.namedBindings;
		const isWorkflow =
			ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === 'n8n-workflow';
		if (!isWorkflow || importClause?.isTypeOnly || !bindings || !ts.isNamedImports(bindings))
			return [];
		return bindings.elements
			.filter(({ isTypeOnly }) => !isTypeOnly)
			.map(({ name, propertyName }) => (propertyName ?? name).text);
	});
}

/** What n8n gives to the code of a package. */
export const PACKAGE_FACTS: HostFact[] = [
	{
		name: 'what n8n-workflow exports',
		statement: 'n8n-workflow has everything that our code imports from it',
		usedIn: ['shared', 'api'],
		by: 'n8n',
		async attempt(host) {
			const exported = new Set(withLibrariesOf(host, 'exports.cjs') as string[]);
			const imported = importedFromWorkflow();
			const missing = imported.filter((name) => !exported.has(name));
			return {
				holds: imported.length > 0 && missing.length === 0,
				seen: missing.length > 0 ? `missing: ${missing.join(', ')}` : imported.join(', '),
			};
		},
	},
];
