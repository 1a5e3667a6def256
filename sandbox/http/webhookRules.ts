import { z } from 'zod';
import type { Dialect } from '../dialects/dialect';
import type { Issue } from '../types';
import type { Environment } from './environment';
import { Refusal } from './refusal';

/** Contract, section 2.4, or what a service makes of it. Private addresses pass: in a sandbox everything is on one machine. */
const bodyRules = ({ checksUrl, ownerInBody, emptyEventsCode }: Dialect) => {
	const events = z.array(z.enum(['message.received']));
	return z.object({
		url: checksUrl ? z.string().url() : z.string(),
		events: emptyEventsCode === null ? events.min(1) : events,
		ownerId: ownerInBody === 'required' ? z.string().uuid() : z.string().optional(),
		identityId: z.string().nullish(),
		enabled: z.boolean().optional(),
		description: z.string().nullish(),
	});
};

export type GivenWebhook = z.infer<ReturnType<typeof bodyRules>>;

type Checked<Given> = z.ZodSafeParseResult<Given>;

const code = 'INVALID_REQUEST_BODY';

function parseJson(text: unknown, { dialect }: Environment): unknown {
	try {
		return JSON.parse(String(text));
	} catch {
		throw new Refusal(dialect.invalidBodyStatus, 'The body is not valid JSON', { code });
	}
}

function accept<Given extends { events?: string[] }>(
	checked: Checked<Given>,
	{ invalidBodyStatus: status, emptyEventsCode }: Dialect,
): Given {
	if (!checked.success) {
		const issues: Issue[] = checked.error.issues.map(({ path, message, code: kind }) => ({
			path: path.join('.'),
			message,
			code: kind,
		}));
		throw new Refusal(status, 'Invalid request body', { code, issues });
	}
	if (emptyEventsCode !== null && checked.data.events?.length === 0) {
		const message = 'Field `events` must have at least one event';
		throw new Refusal(status, message, { code: emptyEventsCode });
	}
	return checked.data;
}

/** Reads the body of POST /webhooks, or refuses it with its issues. */
export function readNewWebhook(body: unknown, environment: Environment): GivenWebhook {
	const { dialect } = environment;
	return accept(bodyRules(dialect).safeParse(parseJson(body, environment)), dialect);
}

/** Reads the body of PATCH /webhooks/{id}: the fields to change only. */
export function readWebhookChanges(body: unknown, environment: Environment): Partial<GivenWebhook> {
	const { dialect } = environment;
	const rules = bodyRules(dialect).partial();
	const changes = accept(rules.safeParse(parseJson(body, environment)), dialect);
	const { emptyPatchStatus } = dialect;
	if (Object.keys(changes).length === 0 && emptyPatchStatus !== 200) {
		if (emptyPatchStatus === 500) throw new Refusal(500, 'Server Error');
		throw new Refusal(emptyPatchStatus, 'There is nothing to change', { code });
	}
	return changes;
}
