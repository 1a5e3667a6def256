import { duration } from '../setup/progress.mjs';

/** One line for each step. @param {import('./run.mjs').StepResult[]} results */
export function summary(results) {
	const rows = results.map((result) => [
		result.name,
		outcome(result),
		duration(result.milliseconds),
	]);
	const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
	const lines = rows.map(
		([name, text, time]) => `  ${name.padEnd(widths[0])}  ${text.padEnd(widths[1])}  ${time}`,
	);
	return ['\n=== Summary ===', ...lines].join('\n');
}

/** All tests in one line; a failed step without tests counts as one failure. @param {import('./run.mjs').StepResult[]} results */
export function counts(results) {
	let passed = 0;
	let failed = 0;
	for (const result of results) {
		passed += result.tests?.passed ?? 0;
		failed += result.tests?.failed || (result.passed ? 0 : 1);
	}
	return `${passed} passed, ${failed} failed`;
}

function outcome({ passed, tests, reason }) {
	if (reason) return reason;
	if (!tests) return passed ? 'passed' : 'FAILED';
	// Jest may fail without a failed test, for instance when it finds none.
	const failure = tests.failed > 0 ? `, ${tests.failed} FAILED` : ', FAILED';
	return `${tests.passed} passed${passed ? '' : failure}`;
}
