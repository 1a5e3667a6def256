import { createHash } from 'crypto';

import type { ServiceMessage } from '../../api/message';
import { SeenWindow } from './seenWindow';

/**
 * What tells a message from others: its ID in the service, so that a repeat with other content is the
 * same message; without one, the email itself.
 *
 * @returns as many base64url characters as `SeenWindow` keeps
 */
export function messageDigest({ id, rawEmail, message }: ServiceMessage): string {
	const hash = createHash('sha256');
	if (id !== null) hash.update('id:').update(id);
	else hash.update('email:').update(rawEmail || JSON.stringify(message));
	return hash.digest('base64url').slice(0, SeenWindow.digestLength);
}
