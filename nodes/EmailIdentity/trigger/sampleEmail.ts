import { sleep } from 'n8n-workflow';

import { isObject } from '../api/json';
import { HOW_TO_ALLOW, toTransportFailure } from '../api/request';
import { toUrl } from '../../../lib/basics';
import type { SenderCheck } from '../../../lib/proof';
import { deriveSecret, withSecret } from '../shared/secret';
import { DEFAULT_EVENT } from '../shared/webhooks';
import { failedFilters } from './delivery/filters';
import { buildItems } from './delivery/items';
import { withHint, type DeliveryAnswer } from './delivery/outcomes';
import { readLetter } from './delivery/readDelivery';
import type { Authenticated, DeliveryHost } from './delivery/stages';
import type { HookRequest } from './subscription/hookRequest';

/** What n8n sends to its own test URL for the sample email. */
type SampleCall = 'announce' | 'send';

const TIMEOUT_MS = 5000;

/** n8n registers its test URL again after `create`: the email must not arrive before that. */
const UNTIL_N8N_LISTENS_MS = 1000;

/** The node's answer to `announce`. */
export const ANNOUNCED = { status: 'ready' } as const;

/**
 * Use Sample Email. n8n starts a test execution of a webhook node only on a request to its test URL (`test-webhooks.js`), so
 * n8n sends a request to itself. The service is not involved, and the URL need not be public.
 */
export class SampleListening {
	/** n8n does not tell `delete` what it listened for. */
	private readonly addresses = new Set<string>();

	/** @throws NodeOperationError when n8n cannot reach itself there, or does not allow requests to itself */
	async begin({ endpoint, service, post, failure, log }: HookRequest): Promise<void> {
		const { instanceId, webhookPath, address } = endpoint;
		const { apiKey } = await service({}).credential();
		const secret = deriveSecret(apiKey, { instanceId, webhookPath, listening: 'test' });
		const url = withSecret(address, secret);
		const call = async (sample: SampleCall) => await post(url, { sample }, TIMEOUT_MS);
		const answer = await call('announce').catch((error: unknown) => {
			throw failure(unreachable(address, error));
		});
		if ((answer as Partial<typeof ANNOUNCED> | undefined)?.status !== ANNOUNCED.status) {
			throw failure(unreachable(address));
		}
		this.addresses.add(address);
		// n8n answers the editor first.
		void sleep(UNTIL_N8N_LISTENS_MS)
			.then(async () => await call('send'))
			.catch((error: unknown) => log('warn', unreachable(address, error)));
	}

	/** @returns whether n8n listened for the sample email at the address, so that there is no subscription to remove */
	end(address: string): boolean {
		return this.addresses.delete(address);
	}
}

/** Without an error, something other than n8n answered. */
function unreachable(address: string, error?: unknown): string {
	const { origin } = toUrl(address);
	const isBlocked = toTransportFailure(error).problem === 'blocked';
	const problem = isBlocked ? `does not allow: ${HOW_TO_ALLOW}` : 'cannot reach';
	return `Use Sample Email needs requests to n8n's own URL ${origin}, which n8n ${problem}. You can turn it off and use 'set mock data' in the output with the email from the README instead.`;
}

/** The sample email is built like any other, but takes no step. The body is what n8n sent to itself, see `SampleListening`. */
export async function answerSample(
	authenticated: Authenticated,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	const { body, parameters } = authenticated;
	if (!isObject(body) || body.sample !== ('send' satisfies SampleCall)) return { outcome: 'ready' };
	const unfiltered = { ...parameters, filters: {} };
	const sample = { ...authenticated, body: sampleEvent(), parameters: unfiltered };
	const letter = readLetter(sample, host);
	if ('outcome' in letter) return letter;
	const sender = parameters.senderCheck === 'off' ? undefined : SAMPLE_CHECK;
	const built = await buildItems({ ...letter, sender }, host);
	if ('outcome' in built) return built;
	const failed = await failedFilters({ ...letter, parameters });
	const names = failed.map(({ filter }) => filter).join(', ');
	const hint = `With these filters the published workflow would ignore this email: ${names}`;
	const items = failed.length === 0 ? built : withHint(built, hint);
	return { outcome: 'started', items, accept: () => undefined };
}

const FROM = 'Ada Lovelace <ada@example.org>';
const SUBJECT = 'Invoice 2026-042';

const SAMPLE_RECIPIENT = 'sales@example.com';

/** Without a DNS lookup. */
const SAMPLE_CHECK: SenderCheck = {
	authentication: {
		result: 'none',
		reason: 'The sample email is not signed, because it was not really sent.',
		domain: 'example.org',
		signatures: [],
		signed: [],
		policy: null,
		reported: null,
	},
	retryable: false,
};

/** A page with the text "A sample invoice" (ISO 32000). The numbers below `xref` are the offsets of the objects. */
const PDF = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>
endobj
4 0 obj
<< /Length 46 >>
stream
BT /F1 18 Tf 20 45 Td (A sample invoice) Tj ET
endstream
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
xref
0 6
0000000000 65535 f${' '}
0000000009 00000 n${' '}
0000000058 00000 n${' '}
0000000115 00000 n${' '}
0000000241 00000 n${' '}
0000000337 00000 n${' '}
trailer
<< /Size 6 /Root 1 0 R >>
startxref
407
%%EOF
`;

function rawEmail(): string {
	const base64 = Buffer.from(PDF, 'latin1').toString('base64');
	return [
		`From: ${FROM}`,
		`To: Sales <${SAMPLE_RECIPIENT}>`,
		`Subject: ${SUBJECT}`,
		'Date: Mon, 02 Nov 2026 09:30:00 +0100',
		'Message-ID: <sample-2026-042@example.org>',
		'MIME-Version: 1.0',
		'Content-Type: multipart/mixed; boundary="mixed"',
		'',
		'--mixed',
		'Content-Type: multipart/alternative; boundary="alternative"',
		'',
		'--alternative',
		'Content-Type: text/plain; charset=utf-8',
		'',
		'Hello, our invoice is attached.',
		'--alternative',
		'Content-Type: text/html; charset=utf-8',
		'',
		'<p>Hello, our invoice is attached.</p>',
		'--alternative--',
		'--mixed',
		'Content-Type: application/pdf; name="invoice-2026-042.pdf"',
		'Content-Disposition: attachment; filename="invoice-2026-042.pdf"',
		'Content-Transfer-Encoding: base64',
		'',
		...(base64.match(/.{1,76}/g) ?? []),
		'--mixed--',
		'',
	].join('\r\n');
}

/** An email with a PDF as the documented service delivers it (contract, section 6). */
function sampleEvent() {
	return {
		event: DEFAULT_EVENT,
		data: {
			message: {
				id: 'sample',
				from: FROM,
				to: SAMPLE_RECIPIENT,
				subject: SUBJECT,
				deliveredTo: SAMPLE_RECIPIENT,
			},
			rawEmail: rawEmail(),
		},
	};
}
