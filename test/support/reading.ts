import { setImmediate } from 'node:timers/promises';

import {
	openEmail as open,
	splitEmail,
	type EmailReading,
	type KnownEmail,
	type OpenedEmail,
	type ReadEmailOptions,
} from '../../lib/email';
import { EMAIL_LIMITS, type EmailLimits } from '../../lib/email/limits';
import { Pace } from '../../lib/basics';

const pause = async () => await setImmediate();

export const newPace = () => new Pace(pause);

export const newReading = () => ({ limits: EMAIL_LIMITS, pace: newPace() });

/** @param limits other than the usual ones */
export async function openEmail(
	rawEmail: string | undefined,
	known?: () => Partial<KnownEmail>,
	limits?: Partial<EmailLimits>,
): Promise<OpenedEmail> {
	return await open(splitEmail(rawEmail ?? '', limits), { pause, known, limits });
}

export async function readEmail(
	rawEmail: string | undefined,
	known?: () => Partial<KnownEmail>,
	options: Partial<ReadEmailOptions> = {},
	limits?: Partial<EmailLimits>,
): Promise<EmailReading> {
	const usual = { attachments: true, headers: false, binaryPrefix: '' };
	return await (await openEmail(rawEmail, known, limits)).read({ ...usual, ...options });
}
