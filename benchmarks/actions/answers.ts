import { createHash } from 'node:crypto';

/** An ID that looks like any other and is always the same for the same number. */
export function numberedUuid(kind: string, number: number): string {
	const hash = createHash('sha256').update(`${kind} ${number}`).digest('hex');
	return hash.replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5');
}

/** One identity as a running service answers it. */
export function identity(number: number): Record<string, unknown> {
	const isDomain = number % 10 === 0;
	const domain = `customer-${Math.floor(number / 10)}.example`;
	return {
		id: numberedUuid('identity', number),
		ownerId: numberedUuid('owner', 1),
		kind: isDomain ? 'domain' : 'email',
		publicId: `idn_${number.toString(36)}`,
		value: isDomain ? domain : `person-${number}@${domain}`,
		displayName: isDomain ? null : `Person ${number}`,
		incomingDomain: isDomain,
		domainIdentityId: isDomain ? null : numberedUuid('identity', number - (number % 10)),
		dnsRecords: isDomain ? [{ type: 'TXT', name: domain, value: 'v=spf1 -all' }] : null,
		metaData: null,
		providerId: numberedUuid('provider', 1),
		smtpAccountId: null,
		status: number % 3 === 0 ? 'verified' : 'unverified',
		sharedWithWorkspace: false,
		workspaceId: null,
		createdAt: '2026-01-15T10:47:23.604Z',
		updatedAt: '2026-11-21T08:40:51.391Z',
	};
}

/** One message as a running service answers it, about 4 KB. */
export function message(id: string): Record<string, unknown> {
	const text = 'Thank you for your order. Please find the invoice attached.\n'.repeat(20);
	const person = (name: string, address: string) => ({
		text: `${name} <${address}>`,
		html: `<a href="mailto:${address}">${name}</a>`,
		value: [{ name, address }],
	});
	return {
		id,
		publicId: 'msg_4bXyz1',
		messageId: `<${id}@example.com>`,
		inReplyTo: null,
		references: [],
		ownerId: numberedUuid('owner', 1),
		subject: 'Your order, invoice 1042',
		snippet: text.slice(0, 100),
		text,
		html: `<p>${text}</p>`,
		from: person('Ada', 'ada@example.com'),
		to: person('Sales', 'sales@example.test'),
		cc: null,
		bcc: null,
		replyTo: [],
		date: '2026-11-21T10:00:00.000Z',
		sizeBytes: 4096,
		hasAttachments: false,
		state: 'received',
		seen: false,
		createdAt: '2026-11-21T10:00:01.000Z',
		updatedAt: '2026-11-21T10:00:01.000Z',
	};
}
