const BASE64_LINE = /.{76}/g;
const BASE64_GROWTH = (4 / 3) * (78 / 76);
const TEXT_SHARE = 0.3;

/** What an email is to be like. */
export interface EmailPlan {
	/** Characters of the whole raw email, roughly. */
	size: number;
	/** Files, each of the same size; without any, all of it is text and HTML. */
	attachments: number;
	/** Characters of text and HTML beside attachments. */
	body?: number;
}

const HEADERS = [
	'Return-Path: <ada@example.com>',
	'Received: from mail.example.com (mail.example.com [192.0.2.10]) by mx.example.test with ESMTPS id 4bXyz1',
	'\tfor <sales@example.test>; Sat, 21 Nov 2026 10:00:02 +0000',
	'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=mail; h=from:to:subject:date;',
	'\tbh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;',
	'\tb=dzdVyOfAKCdLXdJOc9G2q8LoXSlEniSbav+yuU4zGeeruD00lszZVoG4ZHRNiYzR',
	'From: =?utf-8?Q?Ada_L=C3=B6velace?= <ada@example.com>',
	'To: Sales <sales@example.test>, "Support, Second Level" <support@example.test>',
	'Cc: grace@example.org',
	'Subject: =?utf-8?B?WW91ciBvcmRlciDigJMgaW52b2ljZSAxMDQy?=',
	'Message-ID: <b1c7e5b6-4d0a-4f3e-9f57-1d3a6b2c8e90@example.com>',
	'In-Reply-To: <question-1@example.test>',
	'References: <question-0@example.test> <question-1@example.test>',
	'Date: Sat, 21 Nov 2026 10:00:00 +0000',
	'MIME-Version: 1.0',
];

const FILES = [
	['invoice.pdf', 'application/pdf'],
	['photo.jpg', 'image/jpeg'],
	['archive.zip', 'application/zip'],
] as const;

/** An email as mail programs write it: text and HTML side by side, files in base64. */
export function composeEmail({ size, attachments, body }: EmailPlan): string {
	const next = numbers(size + attachments);
	const frame = HEADERS.join('\r\n').length + 900;
	const characters = attachments === 0 ? Math.max(200, size - frame) : (body ?? 4000);
	const alternative = composeAlternative(characters, next);
	if (attachments === 0) return [...HEADERS, alternative, ''].join('\r\n');
	const each = Math.max(1, (size - frame - characters) / attachments / BASE64_GROWTH);
	const files = Array.from({ length: attachments }, (_, index) =>
		composeFile(index, noise(Math.floor(each), next)),
	);
	return [
		...HEADERS,
		'Content-Type: multipart/mixed; boundary="mixed-7f3a"',
		'',
		'--mixed-7f3a',
		alternative,
		...files.flatMap((file) => ['--mixed-7f3a', file]),
		'--mixed-7f3a--',
		'',
	].join('\r\n');
}

function composeAlternative(characters: number, next: () => number): string {
	const text = prose(characters * TEXT_SHARE, next);
	const paragraphs = prose(characters * (1 - TEXT_SHARE), next).split('\r\n');
	const html = paragraphs.map((line) => `<p style=3D"margin:0">${quoted(line)}</p>`).join('\r\n');
	return [
		'Content-Type: multipart/alternative; boundary="alternative-91c2"',
		'',
		'--alternative-91c2',
		'Content-Type: text/plain; charset=utf-8',
		'Content-Transfer-Encoding: 8bit',
		'',
		text,
		'--alternative-91c2',
		'Content-Type: text/html; charset=utf-8',
		'Content-Transfer-Encoding: quoted-printable',
		'',
		html,
		'--alternative-91c2--',
	].join('\r\n');
}

/** Quoted-printable (RFC 2045, 6.7) of one short line. */
function quoted(line: string): string {
	return line.replace(/[^\x20-\x7e]/g, (character) =>
		[...Buffer.from(character)]
			.map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
			.join(''),
	);
}

function composeFile(index: number, content: Buffer): string {
	const [name, type] = FILES[index % FILES.length] ?? FILES[0];
	return [
		`Content-Type: ${type}; name="${name}"`,
		`Content-Disposition: attachment; filename="${name}"`,
		'Content-Transfer-Encoding: base64',
		'',
		content.toString('base64').replace(BASE64_LINE, '$&\r\n').trimEnd(),
	].join('\r\n');
}
const WORDS =
	'meeting invoice thanks please find attached order number delivery address customer question answer regards team project tomorrow morning schedule confirm receipt payment account details price offer until Friday contract signed copy café größer naïve'.split(
		' ',
	);

/** Numbers below 2^32, always the same ones for the same seed: every run measures the same emails. */
function numbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state;
	};
}

/** Prose in lines of ordinary length. */
function prose(characters: number, next: () => number): string {
	let text = '';
	let line = '';
	while (text.length + line.length < characters) {
		line += `${WORDS[next() % WORDS.length]} `;
		if (line.length > 68) {
			text += `${line.trimEnd()}\r\n`;
			line = '';
		}
	}
	return text + line;
}

/** Bytes that no compression makes smaller, like those of a picture or an archive. */
function noise(bytes: number, next: () => number): Buffer {
	const content = Buffer.alloc(Math.max(4, Math.ceil(bytes / 4) * 4));
	for (let at = 0; at < content.length; at += 4) content.writeUInt32LE(next(), at);
	return content.subarray(0, bytes);
}
