import { join } from 'node:path';

import { OWNER, type Execution, type N8n, type StoredWorkflow } from '../../test/support/n8n';
import type { Surroundings } from './surroundings';
import { bold } from './terminal';

/** The editor's address as people type it. */
const editorOf = ({ port }: N8n): string => `http://localhost:${port}`;

/** The work of a workflow, from the data of its execution in n8n. */
export function describeExecution(
	n8n: N8n,
	workflow: StoredWorkflow,
	{ id, status, error, nodes }: Execution,
): string[] {
	const runs = Object.entries(nodes).map(([name, all]) => ({
		name,
		items: all.at(-1)?.data?.main?.flatMap((output) => output ?? []) ?? [],
	}));
	const { subject, from } = runs[0]?.items[0]?.json ?? {};
	const { name = '', address = '' } = (from ?? {}) as { name?: string; address?: string };
	const saved = runs
		.flatMap(({ items }) => items.map(({ json }) => String(json.fileName)))
		.filter((file) => file.startsWith(n8n.userFolder));
	return [
		`Workflow "${workflow.name}": ${bold(status)}${error ? ` (${error.message})` : ''}`,
		`  Subject    ${String(subject)}`,
		`  From       ${name} <${address}>`,
		`  Nodes      ${runs.map((run) => `${run.name} (${run.items.length})`).join(', ')}`,
		...saved.map((file) => `  Saved      ${file}`),
		`  Execution  ${bold(`${editorOf(n8n)}/workflow/${workflow.id}/executions/${id}`)}`,
	];
}

/** The address of the editor and its log-in. */
export function describeEditor(n8n: N8n): string[] {
	return [
		'',
		`Workflows    ${bold(`${editorOf(n8n)}/home/workflows`)}`,
		`Log in with  ${bold(OWNER.email)} and ${bold(OWNER.password)}`,
	];
}

/** Addresses, log-in and keys of the demo. */
export function describeSurroundings(
	{ n8n, sandbox, to }: Surroundings,
	logFile?: string,
): string[] {
	const { accounts, baseUrl, smtpPort, dialect } = sandbox;
	const more = dialect.messageRoutes === 'none' ? '' : ' and returns single messages';
	return [
		...describeEditor(n8n),
		`Files        ${join(n8n.userFolder, '.n8n-files')}`,
		...(logFile ? [`n8n's log    ${logFile}`] : []),
		`Stand-in     ${baseUrl} (dialect "${dialect.name}")`,
		`             Unlike Kurrier 3.5.0 as installed, it creates webhooks${more}.`,
		`API key      ${accounts.owner.apiKey}`,
		`SMTP         127.0.0.1:${smtpPort}, for ${to}`,
		'',
	];
}
