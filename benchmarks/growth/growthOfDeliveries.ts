import { deliveryBodies } from '../deliver/bodies';
import { startReceivers, type Contestant } from '../deliver/receivers';
import { deliverMany } from '../measure/deliverMany';
import { inTurn, resultsOf } from '../measure/inTurn';
import { quantile } from '../measure/statistics';
import { untilIdle } from '../n8n/idle';
import type { Bench, Curve } from '../types';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Up to the largest that n8n takes by default: 16 MiB with the line breaks escaped in JSON. */
const SIZES = [KILOBYTE, MEGABYTE, ...[2.5, 5, 7.5, 10, 12.5, 15].map((size) => size * MEGABYTE)];

const PLOTTED: readonly Contestant[] = ['ours', 'empty trigger'];

/** Milliseconds until the answer to one delivery, by the email's size in MB. */
export async function growthOfDeliveries(bench: Bench): Promise<Curve[]> {
	const running = await startReceivers(bench.scratch);
	try {
		const { n8n, receivers } = running;
		const curves: Curve[] = PLOTTED.map((label) => ({ label, points: [] }));
		for (const size of SIZES) {
			const nextBody = deliveryBodies({ size, attachments: size >= MEGABYTE ? 2 : 0 });
			const deliver = (name: Contestant) => async () => {
				const { url } = receivers[name];
				const { latencies } = await deliverMany(url, nextBody, { count: 1, connections: 1 });
				await untilIdle(n8n);
				return latencies[0] ?? NaN;
			};
			const contestants = Object.fromEntries(PLOTTED.map((name) => [name, deliver(name)]));
			await inTurn(contestants, 1);
			const results = await inTurn(contestants, bench.quick ? 2 : 7);
			for (const { label, points } of curves) {
				// The quickest of them: a pause of n8n's, or of the machine's, is not part of the cost.
				points.push({ x: size / MEGABYTE, y: quantile(resultsOf(results, label), 0) });
			}
		}
		return curves;
	} finally {
		await running.stop();
	}
}
