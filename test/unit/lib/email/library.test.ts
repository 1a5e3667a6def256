import PostalMime from 'postal-mime';

import { newPace } from '../../../reading';
import { splitEmail } from '../../../../lib/email';
import { readMimeStructure } from '../../../../lib/email/mimeStructure';
import { corpusFiles, readCorpus } from './corpus';
import { mutate } from './mutation';

/** The MIME library finds the same headers and files, in spoiled emails as well; what it repairs less than we do is passed over. */
const emails = corpusFiles.map(readCorpus);
const spoiled = Array.from({ length: 300 }, (_, seed) => ({
	name: `seed ${seed}`,
	rawEmail: mutate(emails, seed),
}));
const whole = corpusFiles.map((name, index) => ({ name, rawEmail: emails[index] as string }));

/** Wrong boundaries and types, and a header that no empty line ends. */
const REPAIRED =
	/utf-16|\ufffd|name=Invoice \(1\)|^content-type:[ \t]*[\w.+-]+\/[\w.+-]+[ \t]+[\w-]+=/im;
const ENDS_WITH_EMPTY_LINE = /(?:^|\n)\r*\n$/;

test.each([...whole, ...spoiled])(
	'$name has the headers and files that the MIME library finds',
	async ({ rawEmail }) => {
		const raw = rawEmail.replace(/^[\uFEFF\s]+/, '').toWellFormed();
		const { body, fields, ...email } = splitEmail(raw);
		const { leaves, excess } = await readMimeStructure({ ...email, body, fields }, newPace());
		const library = await PostalMime.parse(raw, { forceRfc822Attachments: true });
		const { text, html, attachments } = library;
		const isRepaired =
			REPAIRED.test(raw) ||
			(text === undefined && html === undefined && attachments.length === 0) ||
			attachments.some(({ mimeType }) => !mimeType.includes('/')) ||
			email.flaw !== undefined ||
			leaves.some(
				({ bodyStart }) =>
					!ENDS_WITH_EMPTY_LINE.test(`\n${body.slice(0, bodyStart)}`) &&
					!body.startsWith('--', bodyStart),
			);
		if (excess !== undefined || isRepaired) return;
		expect({
			headers: fields.map(({ name, value }) => [name, value]),
			files: leaves
				.filter(({ isFile }) => isFile)
				.map(({ header }) => [header.type, header.fileName, header.contentId]),
		}).toEqual({
			headers: library.headers.map(({ key, value }) => [key, value]),
			files: attachments.map(({ mimeType, filename, contentId }) => [
				mimeType,
				filename,
				contentId,
			]),
		});
	},
);
