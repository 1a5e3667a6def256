import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { collectExpressions, type Expression } from './expressions/collect';
import { MADE_LATER, NOT_LINEAR } from './expressions/exceptions';

const PATIENCE_MS = 300_000;

test(
	'no regular expression that is shipped takes more than linear time, for any input',
	() => {
		const { shipped, madeLater } = collectExpressions();
		expect(madeLater).toEqual(MADE_LATER);
		const statuses = judge(shipped);
		const found = shipped.filter((_, index) => statuses[index] !== 'safe');
		expect(found.map(beginningOf).sort()).toEqual(Object.keys(NOT_LINEAR).sort());
	},
	PATIENCE_MS,
);

test(
	'those that take more are found',
	() => {
		const vulnerable = [
			{ source: '^(?:a+)+$', flags: '' },
			{ source: '[.\\s]*$', flags: '' },
			{ source: '<a\\b[^>]*href\\s*=\\s*["\']?([^\\s"\']+)[^>]*>', flags: 'iy' },
			{ source: '(?<!x)\\s+$', flags: '' },
		];
		expect(judge(vulnerable)).toEqual(vulnerable.map(() => 'vulnerable'));
	},
	PATIENCE_MS,
);

function judge(expressions: Expression[]): string[] {
	const script = join(__dirname, 'expressions/check.mjs');
	const input = JSON.stringify(expressions);
	return JSON.parse(execFileSync(process.execPath, [script], { input }).toString()) as string[];
}

function beginningOf({ source }: Expression): string {
	return source.replace(/[^ -~]+/g, '…').slice(0, 30);
}
