import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmailAttachment } from '../../nodes/EmailIdentity/email/types';
import type { Sandbox } from '../../sandbox';
import {
	OWNER,
	itemsOf,
	type Execution,
	type N8n,
	type StoredWorkflow,
} from '../../test/e2e/driver';
import { KEYS } from './person';

/**
 * Makes the one folder that n8n 2 lets workflows write files into, as long as `N8N_RESTRICT_FILE_ACCESS_TO` is not set.
 *
 * @returns its path
 */
export async function makeFilesFolder({ userFolder }: N8n): Promise<string> {
	const folder = join(userFolder, '.n8n-files');
	await mkdir(folder, { recursive: true });
	return folder;
}

/** What the workflow did, from the data of its execution in n8n. */
export function describeExecution(
	workflow: StoredWorkflow,
	trigger: string,
	execution: Execution,
): string[] {
	const items = itemsOf(execution, trigger);
	const { subject, from } = items[0]?.json ?? {};
	const attachments = items.flatMap(({ json }) => json.attachments ?? json.attachment ?? []);
	return [
		'',
		`An email started the workflow "${workflow.name}" (execution ${execution.id}: ${execution.status})`,
		`  Subject:     ${String(subject)}`,
		`  From:        ${addressText(from)}`,
		`  Attachments: ${attachmentText(attachments)}`,
		...Object.entries(execution.nodes).map(
			([node, runs]) => `  ran ${node}: ${runs.at(-1)?.outputs.flat().length ?? 0} item(s)`,
		),
	];
}

/** Where to look around and how to start the workflow again. */
export function describeSurroundings(
	n8n: N8n,
	sandbox: Sandbox,
	address: string,
	files: string,
): string[] {
	const { owner } = sandbox.accounts;
	return [
		'',
		`n8n's editor:    http://localhost:${n8n.port}`,
		`  log in with    ${OWNER.email} and ${OWNER.password}`,
		`The stand-in:    ${sandbox.baseUrl}`,
		`  API key        ${owner.apiKey}`,
		`Saved files:     ${files}, which workflows can write into`,
		KEYS,
		`  or by SMTP to 127.0.0.1:${sandbox.smtpPort} for ${address}`,
		'',
		'Everything is temporary and ends with Ctrl-C.',
	];
}

interface Address {
	name?: string;
	address?: string;
}

function addressText(value: unknown): string {
	const { name, address } = ([value].flat()[0] ?? {}) as Address;
	return [name, address && `<${address}>`].filter(Boolean).join(' ') || 'unknown';
}

function attachmentText(value: unknown): string {
	const attachments = Array.isArray(value) ? value : [];
	const texts = attachments.map(
		({ fileName, mimeType, size }: EmailAttachment) => `${fileName} (${mimeType}, ${size} bytes)`,
	);
	return texts.join(', ') || 'none';
}
