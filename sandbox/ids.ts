import { createHash } from 'node:crypto';

/** The same UUID for the same name, so that a restarted sandbox knows the IDs of the one before. */
export function namedUuid(name: string): string {
	const digest = createHash('sha256').update(`sandbox:${name}`).digest('hex');
	return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-5$3-a$4-$5');
}

export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** A short public identifier. */
export function publicId(id: string): string {
	return id.replace(/-/g, '').slice(0, 10);
}
