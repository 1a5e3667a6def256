import { setImmediate } from 'node:timers/promises';

import {
	openEmail as open,
	splitEmail,
	type EmailReading,
	type KnownEmail,
	type OpenedEmail,
	type ReadEmailOptions,
} from '../../lib/email';
import { Pace } from '../../lib/basics/pace';

const pause = async () => await setImmediate();

export const newPace = () => new Pace(pause);

export async function openEmail(
	rawEmail: string | undefined,
	known?: () => Partial<KnownEmail>,
): Promise<OpenedEmail> {
	return await open(splitEmail(rawEmail ?? ''), { pause, known });
}

export async function readEmail(
	rawEmail: string | undefined,
	known: (() => Partial<KnownEmail>) | undefined,
	options: ReadEmailOptions,
): Promise<EmailReading> {
	return await (await openEmail(rawEmail, known)).read(options);
}
