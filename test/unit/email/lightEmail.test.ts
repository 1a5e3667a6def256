import { parseMime } from '../../../nodes/EmailIdentity/email/mime';
import type { MimeMail } from '../../../nodes/EmailIdentity/email/mime';
import { lighten } from '../../../nodes/EmailIdentity/email/lightEmail';
import { readMimeStructure } from '../../../nodes/EmailIdentity/email/mimeStructure';
import { corpusFiles, readCorpus } from './corpus';
import { mutate } from './mutation';

const text = (value: string | undefined) => (value ?? '').replace(/\r\n/g, '\n').trimEnd();

/** What must not depend on whether files and long texts went through the MIME library. */
const essence = (mail: MimeMail, addedHeaders: number) => ({
	headers: mail.headers.slice(addedHeaders).map(({ key, value }) => `${key}: ${value}`),
	text: text(mail.text),
	html: text(mail.html),
	files: mail.attachments.map(({ filename, mimeType, disposition, contentId, related }) => ({
		filename,
		mimeType,
		disposition,
		contentId,
		related,
	})),
});

const emails = corpusFiles.map(readCorpus);
const spoiled = Array.from({ length: 300 }, (_, seed) => ({
	name: `seed ${seed}`,
	rawEmail: mutate(emails, seed),
}));
const whole = corpusFiles.map((name, index) => ({ name, rawEmail: emails[index] as string }));

test.each([...whole, ...spoiled])(
	'a lightened email says the same as the whole one: $name',
	async ({ rawEmail }) => {
		const structure = readMimeStructure(rawEmail);
		if (!structure.certain || structure.excess !== undefined) return;
		if (structure.pieces.some(({ header }) => header?.mendedType !== undefined)) return;
		const light = lighten(rawEmail, structure);
		expect(essence(await parseMime(light.text), light.addedHeaders)).toEqual(
			essence(await parseMime(rawEmail), 0),
		);
	},
);
