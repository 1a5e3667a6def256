export type Program =
	| 'redis-server'
	| 'postgres'
	| 'initdb'
	| 'nsd'
	| 'nsd-control'
	| 'dnsdist'
	| 'openssl'
	| 'chromium';

/** @returns its path. @throws SetupFailure when it is not installed */
export declare function findProgram(name: Program): string;

/** @throws SetupFailure that names all that are missing, and says how to install them */
export declare function requirePrograms(names: readonly Program[]): void;
