import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { collectExpressions, type Collected, type ShippedExpression } from './expressions/collect';
import { MADE, NOT_LINEAR } from './expressions/exceptions';

const PATIENCE_MS = 300_000;

let collected: Collected;

beforeAll(() => {
	collected = collectExpressions();
}, PATIENCE_MS);

test(
	'no regular expression takes more than linear time, for any input',
	() => {
		const shipped = unique(collected.shipped);
		const statuses = judge(shipped);
		const found = shipped
			.filter((_expression, index) => statuses[index] !== 'safe')
			.map(({ source, file }) => nameOf(source, file));
		expect(found.sort()).toEqual(NOT_LINEAR.map(({ source, file }) => nameOf(source, file)).sort());
	},
	PATIENCE_MS,
);

test('every regular expression that is made of what is not constant is known', () => {
	const written = new Set(collected.made.map(({ of, file }) => `${file}: ${of}`));
	expect([...written].sort()).toEqual(MADE.map(({ source, file }) => `${file}: ${source}`).sort());
});

test('those of the libraries, of the API and of the emails are among them', () => {
	const files = collected.shipped.map(({ file }) => file);
	expect(files.some((file) => file.startsWith('node_modules/'))).toBe(true);
	expect(files).toContain('nodes/EmailIdentity/api/responses.ts');
	expect(files).toContain('nodes/EmailIdentity/email/thread.ts');
});

test.each([
	['^(?:a+)+$', ''],
	['[.\\s]*$', ''],
	['<a\\b[^>]*href\\s*=\\s*["\']?([^\\s"\']+)[^>]*>', 'iy'],
	['(?<!x)\\s+$', ''],
])(
	'%p would be found',
	(source, flags) => {
		expect(judge([{ source, flags }])).toEqual(['vulnerable']);
	},
	PATIENCE_MS,
);

function judge(expressions: Array<{ source: string; flags: string }>): string[] {
	const script = join(__dirname, 'expressions/check.mjs');
	const input = JSON.stringify(expressions);
	return JSON.parse(execFileSync(process.execPath, [script], { input }).toString()) as string[];
}

/** Of a long one, the beginning. */
function nameOf(source: string, file: string): string {
	return `${file}: /${source.slice(0, 40)}/`;
}

/** The same pattern is checked once. */
function unique(shipped: ShippedExpression[]): ShippedExpression[] {
	const byPattern = new Map(
		shipped.map((expression) => [`${expression.flags}/${expression.source}`, expression]),
	);
	return [...byPattern.values()];
}
