import PostalMime from 'postal-mime';

import { newReading } from '../../../support/reading';
import { splitEmail } from '../../../../lib/email';
import { readMimeStructure } from '../../../../lib/email/mimeStructure';
import { corpusFiles, readCorpus } from './support/corpus';
import { mutate } from './support/mutation';

/** The MIME library finds the same headers and files, in spoiled emails as well; what it repairs less than we do is passed over. */
const emails = corpusFiles.map(readCorpus);
const whole = corpusFiles.map((name) => ({ name, rawEmail: readCorpus(name) }));
const seeds = Array.from({ length: 300 }, (_, seed) => seed);
const spoiled = seeds.map((seed) => ({ name: `seed ${seed}`, rawEmail: mutate(emails, seed) }));

/** Wrong boundaries and types, and a header that no empty line ends. */
const REPAIRED =
	/utf-16|\ufffd|\*=(?!utf-8'|iso-)|name=Invoice \(1\)|^content-type:[ \t]*[\w.+-]+\/[\w.+-]+[ \t]+[\w-]+=/im;
const ENDS_WITH_EMPTY_LINE = /(?:^|\n)\r*\n$/;

/** Headers and files as both find them; undefined where our reader repairs the email. */
async function compare(rawEmail: string) {
	const raw = rawEmail.replace(/^[\uFEFF\s]+/, '').toWellFormed();
	const email = splitEmail(raw);
	const { fields, body, flaw } = email;
	const { leaves, excess } = await readMimeStructure(email, newReading());
	const library = await PostalMime.parse(raw, { forceRfc822Attachments: true });
	const { text, html, attachments } = library;
	const isRepaired =
		REPAIRED.test(raw) ||
		(text === undefined && html === undefined && attachments.length === 0) ||
		attachments.some(({ mimeType }) => !mimeType.includes('/')) ||
		flaw !== undefined ||
		leaves.some(
			({ bodyStart }) =>
				!ENDS_WITH_EMPTY_LINE.test(`\n${body.slice(0, bodyStart)}`) &&
				!body.startsWith('--', bodyStart),
		);
	if (excess !== undefined || isRepaired) return undefined;
	const files = leaves.filter(({ isFile }) => isFile).map(({ header }) => header);
	const ours = {
		headers: fields.map(({ name, value }) => [name, value]),
		files: files.map(({ type, fileName, contentId }) => [type, fileName, contentId]),
	};
	const theirs = {
		headers: library.headers.map(({ key, value }) => [key, value]),
		files: attachments.map(({ mimeType, filename, contentId }) => [mimeType, filename, contentId]),
	};
	return { ours, theirs };
}

test('headers and files of emails that need no repair are those that the MIME library finds', async () => {
	const all = [...whole, ...spoiled];
	let compared = 0;
	for (const { name, rawEmail } of all) {
		const found = await compare(rawEmail);
		if (!found) continue;
		compared++;
		expect({ name, ...found.ours }).toEqual({ name, ...found.theirs });
	}
	expect(compared).toBeGreaterThan(all.length / 2);
});
