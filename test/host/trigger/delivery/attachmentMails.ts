const HEADER = [
	'From: Ada <ada@example.com>',
	'To: sales@example.org',
	'Subject: Hello',
	'Date: Sat, 21 Nov 2026 10:00:00 +0000',
	'MIME-Version: 1.0',
];

const TEXT = ['Content-Type: text/plain; charset=utf-8', '', 'Hi there'];

/** A part with a file, whose content is its name within the test. */
const file = (content: string, ...header: string[]) => [
	...header,
	'Content-Transfer-Encoding: base64',
	'',
	Buffer.from(content).toString('base64'),
];

const attached = (type: string, name: string, content = name) =>
	file(content, `Content-Type: ${type}`, `Content-Disposition: attachment; filename="${name}"`);

const container = (type: string, boundary: string, parts: string[][]) => [
	`Content-Type: multipart/${type}; boundary=${boundary}`,
	'',
	...parts.flatMap((part) => [`--${boundary}`, ...part]),
	`--${boundary}--`,
];

const mixedIn = (boundary: string, parts: string[][]) =>
	[...HEADER, ...container('mixed', boundary, [TEXT, ...parts]), ''].join('\r\n');

const mixed = (...parts: string[][]) => mixedIn('edge', parts);

const pdf = (name: string, content?: string) => attached('application/pdf', name, content);

const signature = container('related', 'inner', [
	['Content-Type: text/html', '', '<p>Hi<img src="cid:logo"></p>'],
	file('logo', 'Content-Type: image/png; name="logo.png"', 'Content-ID: <logo>'),
]);

const forwarded = [
	'Content-Type: message/rfc822',
	'Content-Disposition: attachment; filename="The original.eml"',
	'',
	mixedIn('of-the-original', [pdf('inner.pdf')]),
];

export interface AttachmentMail {
	what: string;
	rawEmail: string;
	/** The files that `*.pdf` is for: their names and contents. */
	pdfs: Array<[fileName: string, content: string]>;
}

/** Ways in which people are sent PDFs. */
export const ATTACHMENT_MAILS: AttachmentMail[] = [
	{
		what: 'a PDF that is second',
		rawEmail: mixed(attached('text/csv', 'list.csv'), pdf('offer.pdf')),
		pdfs: [['offer.pdf', 'offer.pdf']],
	},
	{
		what: 'two PDFs of one name',
		rawEmail: mixed(pdf('offer.pdf', 'first'), pdf('offer.pdf', 'second')),
		pdfs: [
			['offer.pdf', 'first'],
			['offer (2).pdf', 'second'],
		],
	},
	{
		what: 'a picture of the signature before it',
		rawEmail: mixed(signature, pdf('offer.pdf')),
		pdfs: [['offer.pdf', 'offer.pdf']],
	},
	{
		what: 'a PDF sent as application/octet-stream',
		rawEmail: mixed(attached('application/octet-stream', 'offer.pdf')),
		pdfs: [['offer.pdf', 'offer.pdf']],
	},
	{
		what: 'a name in upper case, sent as application/octet-stream',
		rawEmail: mixed(attached('application/octet-stream', 'OFFER.PDF')),
		pdfs: [['OFFER.PDF', 'OFFER.PDF']],
	},
	{
		what: 'names that are encoded, as RFC 2231 and RFC 2047 have it',
		rawEmail: mixed(
			file(
				'one',
				'Content-Type: application/octet-stream',
				"Content-Disposition: attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe.pdf",
			),
			file('two', 'Content-Type: application/octet-stream; name="=?utf-8?B?w4RuZ3N0ZS5wZGY=?="'),
		),
		pdfs: [
			['Größe.pdf', 'one'],
			['Ängste.pdf', 'two'],
		],
	},
	{
		what: 'a PDF without a name',
		rawEmail: mixed(file('nameless', 'Content-Type: application/pdf')),
		pdfs: [['attachment.pdf', 'nameless']],
	},
	{
		what: 'a PDF whose name seems to have another ending',
		rawEmail: mixed(pdf('Invoice 4.711'), attached('application/pdf', 'invoice.dat')),
		pdfs: [
			['Invoice 4.711', 'Invoice 4.711'],
			['invoice.dat', 'invoice.dat'],
		],
	},
	{
		what: 'a PDF within a forwarded email, which stays one file, and one beside it',
		rawEmail: mixed(forwarded, pdf('outer.pdf')),
		pdfs: [['outer.pdf', 'outer.pdf']],
	},
	{
		what: 'an email that is nothing but a PDF',
		rawEmail: [...HEADER, ...pdf('scan.pdf'), ''].join('\r\n'),
		pdfs: [['scan.pdf', 'scan.pdf']],
	},
	{
		what: 'files of Outlook in winmail.dat, which stay one file',
		rawEmail: mixed(attached('application/ms-tnef', 'winmail.dat')),
		pdfs: [],
	},
	{
		what: 'a web page that only its name says to be one',
		rawEmail: mixed(attached('application/pdf', 'offer.html')),
		pdfs: [],
	},
	{
		what: 'nothing but a picture of the signature',
		rawEmail: mixed(signature),
		pdfs: [],
	},
	{ what: 'no file', rawEmail: mixed(), pdfs: [] },
];

/** An email with a text file, and a picture of the signature. */
export const TEXT_AND_PICTURE = mixed(signature, attached('text/csv', 'list.csv'));

/** An email with nothing but a picture of the signature. */
export const PICTURE_ONLY = mixed(signature);

/** More text and files than an item for each file could hold. */
export const crowded = (files: number, text: string) =>
	[
		...HEADER,
		...container('mixed', 'edge', [
			['Content-Type: text/plain', '', text],
			...Array.from({ length: files }, (_, index) => attached('text/csv', `${index}.csv`)),
		]),
		'',
	].join('\r\n');
