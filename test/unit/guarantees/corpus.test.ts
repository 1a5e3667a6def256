import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { simpleParser, type AddressObject } from 'mailparser';

import { readEmail } from '../../support/reading';
import { corpusFiles, readCorpus } from './support/corpus';

const lines = (text: string | null | undefined | false) =>
	(text || '').replace(/\r\n/g, '\n').trim() || null;

async function readWithOurs(rawEmail: string): Promise<Record<string, unknown>> {
	const { email, files } = await readEmail(rawEmail);
	const { from, to, cc, subject, date, thread } = email;
	const { messageId, inReplyTo, references, replyTo } = thread;
	// The other parser does not open attached emails.
	const attachments = email.attachments.filter(({ inside }) => inside === undefined);
	return {
		parsed: email.parsed !== false,
		from,
		to,
		cc,
		replyTo,
		subject,
		date,
		messageId,
		inReplyTo,
		references,
		text: lines(email.text),
		html: lines(email.html),
		attachmentTypes: attachments.map(({ mimeType }) => mimeType),
		attachmentNames: attachments.map(({ fileName }) => fileName),
		attachmentContentIds: attachments.map(({ contentId }) => contentId),
		attachmentContents: files.slice(0, attachments.length).map(({ content }) => base64(content)),
	};
}

const base64 = (content: Buffer) => content.toString('base64');

/** `mailparser` shares no code with the nodes. */
async function readWithMailparser(rawEmail: string): Promise<Record<string, unknown>> {
	const options = { skipImageLinks: true, skipTextToHtml: true };
	const mail = await simpleParser(Buffer.from(rawEmail), options).catch(() => undefined);
	if (mail === undefined) return { parsed: false };
	return {
		parsed: true,
		from: addresses(mail.from)[0] ?? null,
		to: addresses(mail.to),
		cc: addresses(mail.cc),
		replyTo: addresses(mail.replyTo),
		subject: mail.subject ?? '',
		date: mail.date?.toISOString() ?? null,
		messageId: mail.messageId ?? null,
		inReplyTo: mail.inReplyTo ?? null,
		references: [mail.references ?? []].flat(),
		text: lines(mail.text),
		html: lines(mail.html),
		attachmentTypes: mail.attachments.map(({ contentType }) => contentType),
		attachmentNames: mail.attachments.map(({ filename }) => filename),
		attachmentContentIds: mail.attachments.map(({ cid }) => cid ?? null),
		attachmentContents: mail.attachments.map(({ content }) => base64(content)),
	};
}

function addresses(found: AddressObject | AddressObject[] | undefined) {
	return [found ?? []]
		.flat()
		.flatMap(({ value }) => value.flatMap((address) => address.group ?? [address]))
		.map(({ name, address }) => ({ name, address: address ?? '' }));
}

/** Where our reading differs from mailparser's on purpose: `file: fields: reason`. */
const known = readFileSync(join(__dirname, 'knownDifferences.txt'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => line.split(': '))
	.map(([file = '', fields = '']) => ({ file, fields: fields.split(' ') }));

test('every known difference belongs to a file of the corpus', () => {
	expect(corpusFiles).toEqual(expect.arrayContaining(known.map(({ file }) => file)));
});

test.each(corpusFiles)(
	'%s is read as an independent parser reads it, except where the difference is known',
	async (name) => {
		const ours = await readWithOurs(readCorpus(name));
		const theirs = await readWithMailparser(readCorpus(name));
		const fields = Object.keys(theirs).filter(
			(field) => JSON.stringify(ours[field]) !== JSON.stringify(theirs[field]),
		);
		const expected = known.filter(({ file }) => file === name).flatMap((one) => one.fields);
		expect(fields.sort()).toEqual(expected.sort());
	},
);
