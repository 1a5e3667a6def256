import type { SenderCheck } from '../../../../../lib/proof';
import type { SampleId } from '../../../shared/sampleIds';
import { DEFAULT_EVENT } from '../../../shared/webhooks';

/** Without a DNS lookup. */
export const SAMPLE_CHECK: SenderCheck = {
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
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj
4 0 obj << /Length 46 >> stream
BT /F1 18 Tf 20 45 Td (A sample invoice) Tj ET
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
xref
0 6
0000000000 65535 f${' '}
0000000009 00000 n${' '}
0000000058 00000 n${' '}
0000000115 00000 n${' '}
0000000241 00000 n${' '}
0000000337 00000 n${' '}
trailer << /Size 6 /Root 1 0 R >>
startxref
407
%%EOF
`;

const QUESTION_EMAIL = `Date: Sun, 01 Nov 2026 14:05:00 +0100
Message-ID: <sample-question@example.org>
Content-Type: multipart/alternative; boundary="alternative"

--alternative
Content-Type: text/plain; charset=utf-8

Hello,

do you deliver to Norway, and how long does it take?

Ada Lovelace
--alternative
Content-Type: text/html; charset=utf-8

<p>Hello,</p><p>do you deliver to Norway, and how long does it take?</p><p>Ada Lovelace</p>
--alternative--
`;

const INVOICE_EMAIL = `Date: Mon, 02 Nov 2026 09:30:00 +0100
Message-ID: <sample-2026-042@example.org>
Content-Type: multipart/mixed; boundary="mixed"

--mixed
Content-Type: multipart/alternative; boundary="alternative"

--alternative
Content-Type: text/plain; charset=utf-8

Hello, our invoice is attached.
--alternative
Content-Type: text/html; charset=utf-8

<p>Hello, our invoice is attached.</p>
--alternative--
--mixed
Content-Disposition: attachment; filename="invoice-2026-042.pdf"
Content-Transfer-Encoding: base64
Content-Type: application/pdf; name="invoice-2026-042.pdf"

${Buffer.from(PDF, 'latin1').toString('base64').replace(/.{76}/g, '$&\n')}
--mixed--
`;

const REPLY_EMAIL = `Date: Tue, 03 Nov 2026 10:15:00 +0100
Message-ID: <sample-reply@example.org>
In-Reply-To: <order-1815@example.com>
References: <order-1815@example.com>
Content-Type: text/plain; charset=utf-8

Please send it to the office.

On Mon, Nov 2, 2026 at 9:00 AM Sales <sales@example.com> wrote:
> Where should we send your order?
`;

const BOUNCE_EMAIL = `Date: Wed, 04 Nov 2026 11:00:00 +0100
Message-ID: <sample-bounce@mx.example.org>
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary="report"

--report
Content-Type: text/plain; charset=utf-8

Your message to charles@example.org could not be delivered: the address does not exist.
--report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; charles@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 The address does not exist
--report
Content-Type: text/rfc822-headers

From: Sales <sales@example.com>
To: charles@example.org
Subject: Your order 1791
Message-ID: <order-1791@example.com>
--report--
`;

const ADA = 'Ada Lovelace <ada@example.org>';
const MAILER = 'Mail Delivery System <mailer-daemon@mx.example.org>';

interface Sample {
	id: SampleId;
	from: string;
	to: string;
	subject: string;
	/** The rest of the header, and the body. */
	rest: string;
	hasFile?: boolean;
}

/** The first one that passes the filters is returned: one without a file, because the editor shows a file instead of the fields. */
const SAMPLES: Sample[] = [
	{
		id: 'sample-question',
		from: ADA,
		to: 'sales@example.com',
		subject: 'Do you deliver to Norway?',
		rest: QUESTION_EMAIL,
	},
	{
		id: 'sample-invoice',
		from: ADA,
		to: 'sales@example.com',
		subject: 'Invoice 2026-042',
		rest: INVOICE_EMAIL,
		hasFile: true,
	},
	{
		id: 'sample-reply',
		from: ADA,
		to: 'sales+orders@example.com',
		subject: 'Re: Your order 1815',
		rest: REPLY_EMAIL,
	},
	{
		id: 'sample-bounce',
		from: MAILER,
		to: 'sales@example.com',
		subject: 'Undelivered Mail Returned to Sender',
		rest: BOUNCE_EMAIL,
	},
];

export interface SampleEvent {
	event: string;
	data: { message: object; rawEmail: string };
}

/**
 * The sample emails as the documented service delivers them (contract, section 6).
 *
 * @param needsFile only those with a file
 */
export function sampleEvents(needsFile: boolean): SampleEvent[] {
	const samples = needsFile ? SAMPLES.filter(({ hasFile }) => hasFile) : SAMPLES;
	return samples.map(toEvent);
}

function toEvent({ id, from, to, subject, rest }: Sample): SampleEvent {
	const lines = [
		// Without Received, the email might be one that the account sent.
		'Received: from mx.example.org by mx.example.com',
		`From: ${from}`,
		`To: Sales <${to}>`,
		`Subject: ${subject}`,
		'MIME-Version: 1.0',
		rest,
	];
	const rawEmail = lines.join('\n').replaceAll('\n', '\r\n');
	const message = { id, from, to, subject, deliveredTo: to };
	return { event: DEFAULT_EVENT, data: { message, rawEmail } };
}
