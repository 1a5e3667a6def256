import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import ts from 'typescript';

export interface Expression {
	source: string;
	flags: string;
}

export interface Collected {
	shipped: Expression[];
	/** The lines of code that create one only while the nodes run. */
	madeLater: string[];
}

/**
 * Finds every regular expression in what is shipped, libraries included: literals, texts from which n8n creates one (`regex` of
 * a validation), and those that are created while the code is loaded. Code that is never called is not shipped, so the code
 * is bundled first.
 */
export function collectExpressions(): Collected {
	const folder = mkdtempSync(join(tmpdir(), 'email-identity-expressions-'));
	try {
		const file = join(folder, 'bundle.cjs');
		const places = ['../support/bundle.mjs', 'everything.ts'].map((name) => join(__dirname, name));
		execFileSync(process.execPath, [...places, file]);
		const code = readFileSync(file, 'utf8');
		const { shipped, madeLater } = load(code);
		const all = [...shipped, ...readLiterals(code)].map(
			(one) => [JSON.stringify(one), one] as const,
		);
		return { shipped: [...new Map(all).values()], madeLater };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function readLiterals(code: string): Expression[] {
	const found: Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
		} else if (ts.isPropertyAssignment(node) && node.name.getText() === 'regex') {
			if (!ts.isStringLiteralLike(node.initializer)) throw new Error(node.getText());
			// n8n adds these marks.
			found.push({ source: `^${node.initializer.text}$`, flags: '' });
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('bundle.js', code, ts.ScriptTarget.ESNext, true));
	return found;
}

/** Loads the code, with the modules that it loads only when needed, and records the parameters of `RegExp`. */
function load(code: string): Collected {
	const shipped: Expression[] = [];
	const waiting = new Map<number, string>();
	const callAt = (index: number) => (pattern: string, options?: string) => {
		const made = new RegExp(pattern, options);
		shipped.push({ source: made.source, flags: made.flags });
		waiting.delete(index);
		return made;
	};
	const noted = code.replace(/\b(?:new )?RegExp\(/g, (_, index: number) => {
		waiting.set(index, lineAt(code, index));
		return `callAt(${index})(`;
	});
	const modules = [...code.matchAll(/^var ((?:init|require)_[\w$]+)/gm)].map(
		([, name]) => `${name}();`,
	);
	const module = { exports: {} };
	const run = new Function('require', 'module', 'exports', 'callAt', noted + modules.join('\n'));
	run(require, module, module.exports, callAt);
	return { shipped, madeLater: [...waiting.values()] };
}

function lineAt(code: string, index: number): string {
	return code.slice(code.lastIndexOf('\n', index) + 1, code.indexOf('\n', index)).trim();
}
