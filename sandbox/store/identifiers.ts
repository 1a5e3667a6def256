import { createHash } from 'node:crypto';

/** The same UUID for the same name, so that a restarted sandbox knows the IDs of the one before. */
export function namedUuid(name: string): string {
	const digest = createHash('sha256').update(`sandbox:${name}`).digest('hex');
	return [
		digest.slice(0, 8),
		digest.slice(8, 12),
		`5${digest.slice(13, 16)}`,
		`a${digest.slice(17, 20)}`,
		digest.slice(20, 32),
	].join('-');
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
	return uuidShape.test(text);
}

/** A short public identifier. */
export function publicId(id: string): string {
	return id.replace(/-/g, '').slice(0, 10);
}
