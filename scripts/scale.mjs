/**
 * Tests the package under load: in n8n's queue mode, in a single n8n that crashes, and with a gateway or a proxy that keeps emails
 * while n8n is down. Installs what is missing.
 *
 *   npm test -- load                   everything in full size
 *   npm test -- load --short        the short form
 *   npm test -- load --only queue   one of them: queue, crash, gateway or proxy
 *   npm test -- load --only crash --line 1   in n8n 1.x
 */
import { runScript, SetupFailure } from './setup/failure.mjs';
import { readCommandLine } from './setup/options.mjs';
import { runAndSumUp } from './tests/run.mjs';
import { PROXY, QUEUE_MODE, selectSteps } from './tests/steps.mjs';

const PARTS = ['queue', 'crash', 'gateway', 'proxy'];

/** Other parts need only n8n. */
const PROGRAMS = { queue: QUEUE_MODE, proxy: PROXY };

// Programs that were started end at the `exit` of this process, which a signal alone does not cause.
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
	process.once(signal, () => process.exit(code));
}

await runScript(async () => {
	const { short, only, line, seed } = readCommandLine({
		short: { type: 'boolean', default: false },
		only: { type: 'string' },
		line: { type: 'string', default: '2' },
		seed: { type: 'string', default: '1' },
	}).values;
	const parts = only === undefined ? PARTS : [only];
	if (only !== undefined && !PARTS.includes(only)) {
		throw new SetupFailure(`There is no "${only}": there are ${PARTS.join(', ')}.`);
	}
	if (line === '1' && only !== 'crash') {
		throw new SetupFailure('On n8n 1.x only crashes are measured: add --only crash.');
	}
	Object.assign(process.env, { SCALE_SIZE: short ? 'short' : 'full', SCALE_SEED: seed });
	const programs = parts.flatMap((part) => PROGRAMS[part] ?? []);
	const steps = [];
	for (const step of selectSteps(['scale']).steps) {
		const release = step.release && line;
		steps.push({ ...step, release, programs });
	}
	await runAndSumUp(
		steps,
		parts.map((part) => `scale/${part}.test`),
	);
});
