import { statusFailure } from '../../../nodes/EmailIdentity/api/failures/statusMessages';
import { readMessage } from '../../../nodes/EmailIdentity/api/data/messages';
import type { Entry } from '../../../nodes/EmailIdentity/api/data/json';
import { checkSender } from '../../../lib/proof/checkSender';
import type { DnsResolver } from '../../../lib/dns/resolver/httpsResolver';
import { openEmail, splitEmail, type ReadEmailOptions } from '../../../lib/email';
import { isMailFor } from '../../../lib/basics/addresses';
import {
	withEmail,
	type MessageWithEmail,
} from '../../../nodes/EmailIdentity/shared/reading/messageWithEmail';
import { readSimplifiedEmail } from '../../../nodes/EmailIdentity/shared/reading/simplifiedEmail';
import { failedFilters } from '../../../nodes/EmailIdentity/trigger/settings/filters';
import {
	readDeliveredBody,
	parseDelivery,
} from '../../../nodes/EmailIdentity/trigger/delivery/readDelivery';
import type { Authenticated } from '../../../nodes/EmailIdentity/trigger/delivery/stages';
import type { Filters } from '../../../nodes/EmailIdentity/trigger/settings/settings';
import { explain } from '../../../nodes/EmailIdentity/trigger/logLines';
import type { Hostile } from './family';
import { pause } from './pieces';
import { OWN_KEY_RECORD, OWN_NAME, signedByStranger } from './strangersKey';

/** A way in which the nodes read what a stranger sends. */
export interface Way {
	name: string;
	/** Makes what is to be read, which takes no part of the time. */
	prepare?(): void;
	read(): Promise<unknown>;
}

const EVERYTHING = {
	attachments: true,
	headers: true,
	binaryPrefix: 'attachment_',
	removeQuotedText: true,
	textFormat: 'markdown' as const,
};
const NO_CONTENT = { attachments: false, headers: false, binaryPrefix: '' };
/** Of RFC 8463, appendix A.2. */
const KEY_RECORD =
	'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB';
const SECRET = 'SECRET-OF-THE-KEY';

/** The ways in which an input of this kind is read; the first one reads everything. */
export function waysOf(hostile: Hostile): Way[] {
	if ('rawEmail' in hostile) {
		const { rawEmail } = hostile;
		const unsigned = { name: 'Sender Check', read: async () => await prove(rawEmail) };
		return [...waysOfEmail({ id: '1', rawEmail }), unsigned, signedWay(rawEmail)];
	}
	if ('message' in hostile) return waysOfEmail(hostile.message as Entry);
	if ('answer' in hostile) {
		const { answer } = hostile;
		const request = { method: 'GET', path: '/webhooks/1', resource: 'webhook' } as const;
		const response = { status: 400, headers: {}, text: answer, url: 'https://service.example/' };
		const failure = () => statusFailure(request, response, SECRET);
		return [
			{ name: 'report', read: async () => failure() },
			{ name: 'log', read: async () => explain(failure()) },
		];
	}
	return [{ name: 'delivery', read: () => receive(hostile.delivery) }];
}

/** The sender signs the email with a key of their own domain, so that it is read after the check. */
function signedWay(rawEmail: string): Way {
	let signed = '';
	return {
		name: 'Sender Check of a signed email',
		prepare: () => (signed = signedByStranger(rawEmail)),
		read: async () => await prove(signed),
	};
}

function waysOfEmail(entry: Entry): Way[] {
	const email = () => withEmail(readMessage(entry), pause);
	const simplify = async (options: ReadEmailOptions) => {
		const askIdentities = async () => await Promise.resolve(undefined);
		const shown = { ...options, restrictedTo: 'inbox@example.test', askIdentities };
		fault((await readSimplifiedEmail(email(), shown)).json);
	};
	return [
		{ name: 'trigger', read: async () => await simplify(EVERYTHING) },
		{ name: 'filters', read: async () => await filter(email()) },
		{ name: 'Message Get', read: async () => await simplify(NO_CONTENT) },
	];
}

/** Each filter alone, because after one that does not match the others are not tried. */
const FILTERS: Filters[] = [
	{ from: 'Ada*, *@example.com' },
	{ excludeFrom: 'Ada*, *@example.com' },
	{ to: '*@example.test' },
	{ subject: 'invoice' },
	{ excludeSubject: 'invoice' },
	{ hasAttachments: true },
	{ attachments: '*.pdf, image/*' },
];

async function filter(email: MessageWithEmail): Promise<void> {
	for (const senderCheck of ['off', 'require'] as const) {
		for (const filters of FILTERS) {
			await failedFilters(email, { filters, senderCheck });
		}
	}
	const { from, to, cc } = await email.open();
	for (const one of [from, ...to, ...cc]) isMailFor('example.test', one?.address ?? '');
}

/** With a key for every name: otherwise nothing would be read. */
async function prove(rawEmail: string): Promise<void> {
	const resolver: DnsResolver = {
		ask: async (name, type) => {
			const record = name.startsWith(OWN_NAME) ? OWN_KEY_RECORD : KEY_RECORD;
			return type === 'TXT'
				? { status: 'found', records: [record as never] }
				: { status: 'noData' };
		},
	};
	const trustedServers = ['mx.example.test'];
	const { authentication, email: proved } = await checkSender(splitEmail(rawEmail), {
		resolver,
		trustedServers,
		pause,
		open: async (email) => await openEmail(email, { pause }),
	});
	if (authentication.reason?.includes('fault in this node')) throw new Error(authentication.reason);
	if (proved) fault((await proved.read(EVERYTHING)).email);
}

/** An email is read in spite of errors; an error in our code is in its warning. */
function fault({ warning = '' }: { warning?: unknown }): void {
	if (String(warning).includes('fault in this node')) throw new Error(String(warning));
}

/** Checks the form of a delivery, then reads it. */
async function receive(text: string): Promise<unknown> {
	const request = {
		contentType: 'text/plain',
		body: undefined,
		encoding: 'utf-8',
		rawBody: Buffer.from(text),
		readRawBody: async () => {},
	} as unknown as Parameters<typeof readDeliveredBody>[0];
	const body = await readDeliveredBody(request);
	if ('outcome' in body) return body;
	const parameters = { event: 'message.received', senderCheck: 'off' };
	const letter = parseDelivery({ body: body.value, parameters } as Authenticated, { pause });
	return 'outcome' in letter ? letter : await letter.email.open();
}
