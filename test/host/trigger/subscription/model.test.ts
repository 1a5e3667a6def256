import * as fc from 'fast-check';
import { dialectNames, startSandbox } from '../../../../sandbox';
import type { World } from './support/instance';
import { Model } from './support/model';
import { oddnesses, sequences } from './support/steps';

const LINES = ['1', '2'] as const;

/** Of all lines and dialects together; more of them with `npm test -- all` or `LIFECYCLE_SEQUENCES=5000`. */
const SEQUENCES = Number(process.env.LIFECYCLE_SEQUENCES ?? 120);

const numRuns = Math.ceil(SEQUENCES / LINES.length / dialectNames.length);

const MINUTES = 60_000;

describe.each(LINES)('whatever happens to n8n %s.x', (line) => {
	describe.each(dialectNames)('and a service that speaks %s', (dialect) => {
		let world: World;

		beforeAll(async () => {
			const sandbox = await startSandbox({ dialect, recordings: 1000 });
			const { identities } = sandbox.dumpState();
			const now = Date.parse('2026-01-01T00:00:00Z');
			world = { sandbox, identities, now, story: [] };
		});

		afterAll(async () => {
			await world.sandbox.stop();
		});

		it(
			'the subscription keeps its promises',
			async () => {
				const property = fc.asyncProperty(oddnesses, sequences, async (oddness, steps) => {
					const model = new Model(world, line, oddness);
					try {
						for (const step of steps) await model.play(step);
					} catch (error) {
						throw new Error([...world.story, `=> ${(error as Error).message}`].join('\n'));
					}
				});
				await fc.assert(property, { numRuns, endOnFailure: false });
			},
			10 * MINUTES,
		);
	});
});
