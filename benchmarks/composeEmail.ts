import { createHash } from 'node:crypto';
import { composeMail } from '../test/dns/support/signedMails';

/** Characters of headers and of what separates the parts, roughly. */
const FRAME = 2000;
const BASE64_GROWTH = (4 / 3) * (78 / 76);
const TEXT_SHARE = 0.3;

export interface EmailPlan {
	/** Characters of the whole raw email, roughly. */
	size: number;
	/** Files, each of the same size; without any, all of it is text and HTML. */
	attachments: number;
	/** Characters of text and HTML beside attachments. */
	body?: number;
}

const HEADERS = {
	from: 'Ada Lövelace <ada@example.com>',
	to: 'Sales <sales@example.test>, "Support, Second Level" <support@example.test>',
	cc: 'grace@example.org',
	subject: 'Your order – invoice 1042',
	messageId: '<b1c7e5b6-4d0a-4f3e-9f57-1d3a6b2c8e90@example.com>',
	inReplyTo: '<question-1@example.test>',
	references: ['<question-0@example.test>', '<question-1@example.test>'],
	date: new Date('2026-11-21T10:00:00Z'),
	baseBoundary: '7f3a91c2',
	headers: {
		Received:
			'from mail.example.com (mail.example.com [192.0.2.10]) by mx.example.test with ESMTPS id 4bXyz1 for <sales@example.test>; Sat, 21 Nov 2026 10:00:02 +0000',
		'DKIM-Signature':
			'v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=mail; h=from:to:subject:date; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=dzdVyOfAKCdLXdJOc9G2q8LoXSlEniSbav+yuU4zGeeruD00lszZVoG4ZHRNiYzR',
	},
};

const FILES = [
	['invoice.pdf', 'application/pdf'],
	['photo.jpg', 'image/jpeg'],
	['archive.zip', 'application/zip'],
] as const;

const PROSE = [
	'Thank you for your question about the order, and for the signed copy.',
	'Please find the invoice attached: the price is what our offer said.',
	'A meeting in the café tomorrow morning would suit the größer team.',
	'The delivery address is that of your customer account until Friday.',
];

/** An email as mail programs write it: text and HTML side by side, files in base64. Always the same for the same plan. */
export async function composeEmail({ size, attachments, body }: EmailPlan): Promise<string> {
	const ofBody = attachments === 0 ? Math.max(200, size - FRAME) : (body ?? 4000);
	const ofFile = Math.max(1, Math.floor((size - FRAME - ofBody) / attachments / BASE64_GROWTH));
	return await composeMail({
		...HEADERS,
		text: prose(ofBody * TEXT_SHARE).join('\n'),
		html: prose(ofBody * (1 - TEXT_SHARE))
			.map((line) => `<p style="margin:0">${line}</p>`)
			.join('\n'),
		attachments: FILES.slice(0, attachments).map(([filename, contentType]) => ({
			filename,
			contentType,
			content: noise(filename, ofFile),
		})),
	});
}

function prose(characters: number): string[] {
	const lines: string[] = [];
	for (let left = characters; left > 0; left -= lines.at(-1)!.length) {
		lines.push(PROSE[lines.length % PROSE.length]!);
	}
	return lines;
}

/** Bytes that no compression makes smaller, like those of a picture or an archive. */
const noise = (seed: string, outputLength: number): Buffer =>
	createHash('shake256', { outputLength }).update(seed).digest();
