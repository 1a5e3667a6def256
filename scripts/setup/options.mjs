import { parseArgs } from 'node:util';
import { SetupFailure } from './failure.mjs';

/**
 * Reads the options of a command; the type of the result follows from them.
 *
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} Options
 * @param {Options} options
 * @throws {SetupFailure} for an unknown option
 */
export function readCommandLine(options, allowPositionals = false) {
	try {
		return parseArgs({ options, allowPositionals });
	} catch (caught) {
		const error = /** @type {Error} */ (caught);
		const known = Object.keys(options).map((name) => `--${name}`);
		throw new SetupFailure(`${error.message}\nKnown options: ${known.join(', ')}.`);
	}
}
