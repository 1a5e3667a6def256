import { parseArgs } from 'node:util';
import { SetupFailure } from './failure.mjs';

/**
 * @template {import('node:util').ParseArgsOptionsConfig} Options
 * @param {Options} options
 * @throws {SetupFailure} for an unknown option
 */
export function readCommandLine(options, allowPositionals = false) {
	try {
		return parseArgs({ options, allowPositionals });
	} catch (error) {
		const known = Object.keys(options).map((name) => `--${name}`);
		throw new SetupFailure(`${error.message}\nKnown options: ${known.join(', ')}.`);
	}
}
