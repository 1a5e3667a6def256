import type { Dialect } from './dialect';

/** Renames the outermost fields (given in camelCase) as the dialect names them. */
export function presentNames(
	fields: Record<string, unknown>,
	names: Dialect['fieldNames'],
): Record<string, unknown> {
	if (names === 'camel') return fields;
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			value,
		]),
	);
}

/** The fields without those named. */
export function omit<Given extends object, Name extends keyof Given>(
	fields: Given,
	names: readonly Name[],
): Omit<Given, Name> {
	const kept = Object.entries(fields).filter(
		([name]) => !names.some((omitted) => omitted === name),
	);
	return Object.fromEntries(kept) as Omit<Given, Name>;
}
