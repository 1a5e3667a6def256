import { until, type N8n } from '../../test/e2e/driver';

const UNFINISHED = encodeURIComponent(JSON.stringify({ status: ['new', 'running', 'waiting'] }));
const TIME_LIMIT_MS = 180_000;
const LOOK_AGAIN_MS = 100;

/** Waits until n8n has ended all executions: none may slow down what is measured next. */
export async function untilIdle(n8n: N8n): Promise<void> {
	await until(
		async () => {
			const { results } = await n8n.session.call<{ results: unknown[] }>(
				'GET',
				`/rest/executions?limit=1&filter=${UNFINISHED}`,
			);
			return results.length === 0;
		},
		{ describe: 'n8n has ended all executions', timeout: TIME_LIMIT_MS, interval: LOOK_AGAIN_MS },
	);
}
