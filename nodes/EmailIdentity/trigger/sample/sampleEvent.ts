import type { SenderCheck } from '../../../../lib/proof';
import type { DeliveredEvent } from '../delivery/stages';

const FROM = 'Ada Lovelace <ada@example.org>';
const SUBJECT = 'Invoice 2026-042';

export const SAMPLE_RECIPIENT = 'sales@example.com';

/** Without a DNS lookup. */
export const SAMPLE_CHECK: SenderCheck = {
	authentication: {
		result: 'none',
		reason: 'The sample email is not signed, because it was not really sent.',
		domain: 'example.org',
		signatures: [],
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
export function sampleEvent(): DeliveredEvent {
	return {
		event: 'message.received',
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
