import { readHeaderFields } from '../../email/headerFields';
import type { SenderCheck, SenderCheckOptions } from './authentication';

const END_OF_HEADERS = /\n\r*\n/;

/** See `index.ts`. */
export async function checkSender(
	rawEmail: string | undefined,
	{ trustedServers }: SenderCheckOptions,
): Promise<SenderCheck> {
	const raw = rawEmail ?? '';
	const end = raw.search(END_OF_HEADERS);
	const fields = readHeaderFields(end < 0 ? raw : raw.slice(0, end));
	const isSigned = fields.some(({ name }) => name === 'dkim-signature');
	return {
		authentication: {
			result: isSigned ? 'unknown' : 'none',
			reason: isSigned ? 'Its signatures were not checked.' : 'The email is not signed.',
			domain: null,
			signatures: [],
			policy: null,
			reported: null,
		},
		retryable: trustedServers.length < 0,
	};
}
