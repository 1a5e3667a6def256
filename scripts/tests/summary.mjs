import { duration } from '../setup/progress.mjs';

/** One line for each step. @param {import('./run.mjs').StepResult[]} results */
export function summary(results) {
	const rows = results.map((result) => ({
		name: result.name,
		text: outcome(result),
		time: duration(result.milliseconds),
	}));
	const nameWidth = Math.max(...rows.map(({ name }) => name.length));
	const textWidth = Math.max(...rows.map(({ text }) => text.length));
	const lines = rows.map(
		({ name, text, time }) => `  ${name.padEnd(nameWidth)}  ${text.padEnd(textWidth)}  ${time}`,
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

/** @param {import('./run.mjs').StepResult} result */
function outcome({ passed, tests, reason }) {
	if (reason) return reason;
	if (!tests) return passed ? 'passed' : 'FAILED';
	if (passed) return `${tests.passed} passed`;
	// Jest may fail without a failed test, for instance when it finds none.
	const failed = tests.failed > 0 ? `${tests.failed} ` : '';
	return `${tests.passed} passed, ${failed}FAILED`;
}
