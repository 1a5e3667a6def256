import type { SenderCheck, SenderCheckOptions } from './authentication';

export type {
	Authentication,
	DmarcPolicy,
	ReportedAuthentication,
	SenderCheck,
	SenderCheckOptions,
	SignatureCheck,
	SignatureResult,
} from './authentication';

/**
 * Whether an email comes from the domain that it says it is from. What does it is loaded with the first email.
 *
 * @param rawEmail RFC 5322 text with its attachments, decoded as UTF-8; undefined or `''` where there is none
 * @returns never fails, but where the resolver does because the execution was cancelled
 */
export async function checkSender(
	rawEmail: string | undefined,
	options: SenderCheckOptions,
): Promise<SenderCheck> {
	const checking = await import('./checkSender');
	return await checking.checkSender(rawEmail, options);
}
