import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isUuid } from './ids';
import type { StoredMessage } from './message';
import {
	invalidBody,
	jsonOf,
	NO_IDENTITY,
	readMessage,
	Refusal,
	type Answer,
	type Call,
} from './call';
import type { Dialect } from './dialects';
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
			z.object({
				filename: z.string(),
				contentType: z.string().optional(),
				content: z.base64().min(1),
			}),
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
	throw invalidBody(call, error, {});
}

/** An address of the caller that the route can send from, or seems to. */
function senderOf({ store, caller, dialect }: Call, id: string): StoredIdentity {
	if (!isUuid(id)) throw new Refusal(dialect.malformedIdentityStatus, NO_IDENTITY);
	const identity = store.identity(id.toLowerCase());
	const own = identity?.ownerId === caller.userId ? identity : undefined;
	if (own === undefined && dialect.sending === 'reply') throw new Refusal(403, NO_IDENTITY);
	if (own !== undefined && canSend(own, dialect)) return own;
	throw new Refusal(400, 'Sent mailbox not found for the given identityId');
}

/** Kurrier 3.5.0 looks for a folder with the slug `sent`; its fork for any folder of sent emails, or an SMTP account. */
function canSend({ sentFolder, smtpAccountId }: StoredIdentity, { sending }: Dialect): boolean {
	if (sending === 'reply') return sentFolder !== null || smtpAccountId !== null;
	return sentFolder === 'sent';
}

function originalOf(call: Call, id: string): StoredMessage {
	try {
		return readMessage({ ...call, id });
	} catch {
		throw new Refusal(404, 'Original message not found');
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
