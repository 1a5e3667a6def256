import { contract } from './contract';
import type { Dialect } from './dialect';
import { fork } from './fork';
import { observed } from './observed';

export type DialectName = 'contract' | 'observed' | 'fork';

/** The contract to the letter, Kurrier 3.5.0 as it was seen to run, and a fork of that service. */
export const dialects: Record<DialectName, Dialect> = { contract, observed, fork };

export const dialectNames: readonly DialectName[] = ['contract', 'observed', 'fork'];

/** A dialect of its own for one sandbox, so that changing its switches changes no other. */
export function resolveDialect(dialect: DialectName | Dialect): Dialect {
	return { ...(typeof dialect === 'string' ? dialects[dialect] : dialect) };
}
