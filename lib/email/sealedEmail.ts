import type { ContentHeader } from './mime/contentHeader';
import type { LeafPart } from './mime/parts';

interface SealedType {
	/** The content type of the part. */
	type: RegExp;
	/** Its `smime-type` (RFC 8551, 3.2.2); absent if it does not matter. */
	smimeType?: RegExp;
	warning: string;
}

const ONLY_RECIPIENT = "Only the recipient's mail program can read its text and files.";

const PGP = `This email is encrypted (OpenPGP). ${ONLY_RECIPIENT}`;

/** Parts that have the text and the files of an email in a form that is not read. The first matching row applies. */
const SEALED_TYPES: readonly SealedType[] = [
	{ type: /^application\/pgp-encrypted$/, warning: PGP },
	{
		type: /^application\/(?:x-)?pkcs7-mime$/,
		smimeType: /^signed-data$/,
		warning:
			'This email is signed as a whole (S/MIME). Its text and files are in its only file, usually smime.p7m.',
	},
	{
		type: /^application\/(?:x-)?pkcs7-mime$/,
		smimeType: /^(?:auth)?enveloped-data$/,
		warning: `This email is encrypted (S/MIME). ${ONLY_RECIPIENT}`,
	},
	{
		type: /^application\/(?:x-)?pkcs7-mime$/,
		warning:
			'This email is encrypted or signed as a whole (S/MIME). Its text and files are in its only file, usually smime.p7m.',
	},
];

/** The first line of a text that is encrypted (RFC 9580, 6.2.1). */
const ARMOUR = /^-----BEGIN PGP MESSAGE-----\s*$/m;

/**
 * Why an email shows no text, if it is encrypted or signed as a whole. Signatures beside the text (`multipart/signed`) hide nothing.
 *
 * @param text the visible text; null if there is none
 * @returns a sentence, or undefined
 */
export function sealedWarning(
	leaves: readonly LeafPart[],
	text: string | null,
): string | undefined {
	if (text !== null) return ARMOUR.test(text) ? PGP : undefined;
	for (const { header } of leaves) {
		const sealed = SEALED_TYPES.find((row) => isOf(row, header));
		if (sealed !== undefined) return sealed.warning;
	}
	return undefined;
}

function isOf({ type, smimeType }: SealedType, header: ContentHeader): boolean {
	if (!type.test(header.type)) return false;
	return smimeType === undefined || smimeType.test(header.smimeType);
}
