import { z } from 'zod';
import type { Issue } from '../types';
import type { Environment } from './environment';
import { Refusal } from './refusal';

/** Contract, section 2.4. Private addresses pass: in a sandbox everything is on one machine. */
const newWebhook = z.object({
	url: z.string().url(),
	events: z.array(z.enum(['message.received'])).min(1),
	ownerId: z.string().uuid(),
	identityId: z.string().nullish(),
	enabled: z.boolean().optional(),
	description: z.string().nullish(),
});

export type GivenWebhook = z.infer<typeof newWebhook>;

type Checked<Given> = z.SafeParseReturnType<unknown, Given>;

function parseJson(text: unknown, { dialect }: Environment): unknown {
	try {
		return JSON.parse(String(text));
	} catch {
		throw new Refusal(dialect.invalidBodyStatus, 'The body is not valid JSON');
	}
}

function accept<Given>(checked: Checked<Given>, { dialect }: Environment): Given {
	if (checked.success) return checked.data;
	const issues: Issue[] = checked.error.issues.map(({ path, message, code }) => ({
		path: path.join('.'),
		message,
		code,
	}));
	throw new Refusal(dialect.invalidBodyStatus, 'Invalid request body', issues);
}

/** Reads the body of POST /webhooks, or refuses it with its issues. */
export function readNewWebhook(body: unknown, environment: Environment): GivenWebhook {
	return accept(newWebhook.safeParse(parseJson(body, environment)), environment);
}

/** Reads the body of PATCH /webhooks/{id}: the fields to change only. */
export function readWebhookChanges(body: unknown, environment: Environment): Partial<GivenWebhook> {
	const changes = accept(newWebhook.partial().safeParse(parseJson(body, environment)), environment);
	const { emptyPatchStatus } = environment.dialect;
	if (Object.keys(changes).length === 0 && emptyPatchStatus !== 200) {
		const message = emptyPatchStatus === 500 ? 'Server Error' : 'There is nothing to change';
		throw new Refusal(emptyPatchStatus, message);
	}
	return changes;
}
