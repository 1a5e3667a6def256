import { startActionHost } from '../actions/actionHost';
import { listNodes } from '../actions/listNodes';
import { measurable, type Measurable } from '../actions/runNodes';
import { inTurn, resultsOf } from '../measure/inTurn';
import { quantile } from '../measure/statistics';
import type { Bench, Curve } from '../types';

const LENGTHS = [100, 10_000, 25_000, 50_000, 75_000, 100_000];

const LABELS = { ours: 'ours', theirs: 'HTTP Request + Split Out' };

/** Milliseconds for Get Many with Return All and Simplify, by the length of the list in thousands. */
export async function growthOfLists(bench: Bench): Promise<Curve[]> {
	const host = await startActionHost();
	try {
		const nodes = listNodes(host);
		const ours = await measurable(host.n8n, nodes.ours);
		const theirs = await measurable(host.n8n, nodes.theirs);
		const curves: Record<keyof typeof LABELS, Curve> = {
			ours: { label: LABELS.ours, points: [] },
			theirs: { label: LABELS.theirs, points: [] },
		};
		for (const length of LENGTHS) {
			host.service.behaviour.identities = length;
			const run = (measured: Measurable) => async () => {
				const { time, items } = await measured.run();
				if (items !== length) throw new Error(`${items} of ${length} identities came out.`);
				return time;
			};
			const results = await inTurn({ ours: run(ours), theirs: run(theirs) }, bench.quick ? 2 : 5);
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
