import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isUuid } from './ids';
import type { StoredMessage } from './message';
import { invalidBody, jsonOf, readMessage, Refusal, type Answer, type Call } from './call';
import type { StoredIdentity } from './types';

const address = z.string().email();
const addresses = z.union([address, z.array(address)]);

const fields = {
	subject: z.string().min(1),
	text: z.string().optional(),
	html: z.string().optional(),
	cc: addresses.optional(),
	bcc: addresses.optional(),
	attachments: z
		.array(
			z.object({ filename: z.string(), contentType: z.string().optional(), content: z.base64() }),
		)
		.optional(),
};

/** `POST /email/send`: one address. */
const emailRules = z
	.object({ ...fields, identityId: z.string(), to: address })
	.refine(hasText, { path: ['text'], message: 'Either text or html is required' });

/** `POST /email/reply` of the fork: what is left out comes from the original. */
const replyRules = z
	.object({
		...fields,
		originalMessageId: z.string(),
		identityId: z.string().optional(),
		to: addresses.optional(),
		subject: fields.subject.optional(),
	})
	.refine(hasText, { path: ['text'], message: 'Either text or html is required' });

function hasText({
	text,
	html,
}: {
	text?: string | undefined;
	html?: string | undefined;
}): boolean {
	return Boolean(text) || Boolean(html);
}

function parse<Given>(call: Call, rules: z.ZodType<Given>): Given {
	const { success, data, error } = rules.safeParse(jsonOf(call));
	if (success) return data;
	throw invalidBody(call, error);
}

/** An address of the caller that has a way to send. */
function senderOf(call: Call, id: string): StoredIdentity {
	const { store, caller, dialect } = call;
	if (!isUuid(id)) throw new Refusal(dialect.malformedIdStatus, 'Not found');
	const identity = store.identity(id.toLowerCase());
	const isOwn = identity?.ownerId === caller.userId;
	if (dialect.sending === 'reply' && !isOwn) {
		throw new Refusal(403, 'Identity not found or access denied');
	}
	const canSend = identity?.providerId !== null || identity.smtpAccountId !== null;
	if (identity !== undefined && isOwn && identity.kind === 'email' && canSend) return identity;
	throw new Refusal(400, 'Sent mailbox not found for the given identityId');
}

function originalOf(call: Call, id: string): StoredMessage {
	try {
		return readMessage({ ...call, id });
	} catch {
		throw new Refusal(404, 'Original message not found', { code: 'MESSAGE_NOT_FOUND' });
	}
}

const listed = (given: string | string[] | undefined): string[] =>
	given === undefined ? [] : [given].flat();

export function sendEmail(call: Call): Answer {
	const email = parse(call, emailRules);
	const id = randomUUID();
	call.outbox.queue({
		id,
		from: senderOf(call, email.identityId),
		to: [email.to],
		cc: listed(email.cc),
		bcc: listed(email.bcc),
		subject: email.subject,
		text: email.text,
		html: email.html,
		attachments: email.attachments ?? [],
		original: undefined,
	});
	const status = call.dialect.sending === 'reply' ? { status: 'queued' } : {};
	return { content: { messageId: id, ...status } };
}

export function replyToEmail(call: Call): Answer {
	const reply = parse(call, replyRules);
	const original = originalOf(call, reply.originalMessageId);
	const from = senderOf(call, reply.identityId ?? original.identityId);
	const asked = original.fields.replyTo ?? original.fields.from;
	const to = reply.to ?? asked?.value.flatMap((one) => one.address ?? []) ?? [];
	if (to.length === 0) throw new Refusal(400, 'Could not infer reply recipient');
	const id = randomUUID();
	call.outbox.queue({
		id,
		from,
		to: listed(to),
		cc: listed(reply.cc),
		bcc: listed(reply.bcc),
		subject: reply.subject ?? `Re: ${original.fields.subject ?? ''}`,
		text: reply.text,
		html: reply.html,
		attachments: reply.attachments ?? [],
		original,
	});
	const { id: originalMessageId, threadId } = original.fields;
	return { content: { messageId: id, originalMessageId, threadId, status: 'queued' } };
}
