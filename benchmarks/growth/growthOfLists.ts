import { startActionHost } from '../actions/actionHost';
import { listNodes } from '../actions/listNodes';
import { timedByMarks, type Timed } from '../actions/timedByMarks';
import { inTurn, resultsOf } from '../measure/inTurn';
import { quantile } from '../measure/statistics';
import { identity } from '../service/answers';
import type { Bench, Curve } from '../types';

const LENGTHS = [100, 10_000, 25_000, 50_000, 75_000, 100_000];

const LABELS = { ours: 'ours', theirs: 'HTTP Request + Split Out' };

/** Milliseconds for Get Many with Return All and Simplify, by the length of the list in thousands. */
export async function growthOfLists(bench: Bench): Promise<Curve[]> {
	const host = await startActionHost();
	try {
		const nodes = listNodes(host);
		const ours = await timedByMarks(host, nodes.ours);
		const theirs = await timedByMarks(host, nodes.theirs);
		const curves: Record<keyof typeof LABELS, Curve> = {
			ours: { label: LABELS.ours, points: [] },
			theirs: { label: LABELS.theirs, points: [] },
		};
		for (const length of LENGTHS) {
			host.service.behaviour.identities = length;
			const last = String(identity(length - 1).value);
			const run = (timed: Timed) => async () => await timed(last);
			const contestants = { ours: run(ours), theirs: run(theirs) };
			await inTurn(contestants, 1);
			const results = await inTurn(contestants, bench.quick ? 1 : 5);
			for (const side of ['ours', 'theirs'] as const) {
				const y = quantile(resultsOf(results, side), 0);
				curves[side].points.push({ x: length / 1000, y });
			}
		}
		return [curves.ours, curves.theirs];
	} finally {
		await host.stop();
	}
}
