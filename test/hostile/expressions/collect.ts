import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import ts from 'typescript';

const project = join(__dirname, '../../..');

/** What n8n requires at its start; libraries come with it. */
const ENTRY_POINTS = [
	'credentials/EmailIdentityApi.credentials.ts',
	'nodes/EmailIdentity/EmailIdentity.node.ts',
	'nodes/EmailIdentity/EmailIdentityTrigger.node.ts',
];

/** A regular expression that is shipped. */
export interface ShippedExpression {
	source: string;
	flags: string;
	/** The source file, from the project's folder. */
	file: string;
}

/** One that is made of what is not written beside it. */
export interface MadeExpression {
	/** The argument of `RegExp`, as written. */
	of: string;
	file: string;
}

export interface Collected {
	shipped: ShippedExpression[];
	made: MadeExpression[];
}

/**
 * Finds every regular expression in what is shipped, libraries included: literals, `RegExp` of a constant text, the texts
 * that n8n makes one of (`regex` of a validation), and what is made of anything else while the code is loaded. What is
 * never called is not shipped, so the code is bundled first.
 */
export function collectExpressions(): Collected {
	const collected: Collected = { shipped: [], made: [] };
	const folder = mkdtempSync(join(tmpdir(), 'email-identity-expressions-'));
	try {
		for (const entryPoint of ENTRY_POINTS) {
			const file = join(folder, 'bundle.cjs');
			execFileSync(
				process.execPath,
				[join(__dirname, '../bundle.mjs'), join(project, entryPoint), file],
				{ cwd: project },
			);
			const text = readFileSync(file, 'utf8');
			collectFrom(file, text, collected);
			recordWhileLoading(text, collected);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return collected;
}

/** Runs the code with a `RegExp` that notes what it is given. */
function recordWhileLoading(text: string, { shipped }: Collected): void {
	const record = (expression: RegExp) => {
		const { source, flags } = expression;
		shipped.push({ source, flags, file: 'made while loading' });
		return expression;
	};
	const recorder = new Proxy(RegExp, {
		construct: (target, [source, flags]: [string, string?]) => record(new target(source, flags)),
		apply: (target, _this, [source, flags]: [string, string?]) => record(target(source, flags)),
	});
	const module = { exports: {} };
	const load = new Function('require', 'module', 'exports', 'RegExp', text);
	load(require, module, module.exports, recorder);
}

function collectFrom(path: string, text: string, { shipped, made }: Collected): void {
	const code = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
	const constants = readConstants(code);
	const fileAt = readFileNames(text);
	const visit = (node: ts.Node): void => {
		const file = fileAt(node.getStart());
		if (ts.isRegularExpressionLiteral(node)) {
			shipped.push({ ...partsOf(node.text), file });
		} else if (isCallOfRegExp(node)) {
			const [pattern, flags] = node.arguments ?? [];
			const source = pattern && constantText(pattern, constants);
			if (source === undefined) made.push({ of: pattern?.getText() ?? '', file });
			else shipped.push({ source, flags: (flags && constantText(flags, constants)) ?? '', file });
		} else if (ts.isPropertyAssignment(node) && node.name.getText() === 'regex') {
			const source = constantText(node.initializer, constants);
			if (source === undefined) made.push({ of: node.initializer.getText(), file });
			// n8n puts these around it.
			else shipped.push({ source: `^${source}$`, flags: '', file });
		}
		ts.forEachChild(node, visit);
	};
	visit(code);
}

function isCallOfRegExp(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
	return (
		(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
		node.expression.getText() === 'RegExp'
	);
}

function partsOf(literal: string): { source: string; flags: string } {
	const end = literal.lastIndexOf('/');
	return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

/** What names stand for that are given once. */
function readConstants(code: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
	const constants = new Map<string, ts.Expression>();
	const visit = (node: ts.Node): void => {
		if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
			constants.set(node.name.text, node.initializer);
		}
		// Modules that are loaded late are given their names first, their values later.
		const isAssignment =
			ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
		if (isAssignment && ts.isIdentifier(node.left)) constants.set(node.left.text, node.right);
		ts.forEachChild(node, visit);
	};
	visit(code);
	return constants;
}

function constantText(
	node: ts.Expression,
	constants: ReadonlyMap<string, ts.Expression>,
): string | undefined {
	const textOf = (one: ts.Expression) => constantText(one, constants);
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
	if (ts.isRegularExpressionLiteral(node)) return partsOf(node.text).source;
	if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') {
		return textOf(node.expression);
	}
	if (ts.isIdentifier(node)) {
		const known = constants.get(node.text);
		return known && textOf(known);
	}
	if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
		return concatenate([textOf(node.left), textOf(node.right)]);
	}
	if (ts.isTemplateExpression(node)) {
		return concatenate([
			node.head.text,
			...node.templateSpans.flatMap(({ expression, literal }) => [
				textOf(expression),
				literal.text,
			]),
		]);
	}
	return undefined;
}

function concatenate(texts: Array<string | undefined>): string | undefined {
	return texts.includes(undefined) ? undefined : texts.join('');
}

/** The bundler writes above each module where it comes from. */
function readFileNames(text: string): (position: number) => string {
	const starts = [...text.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)].map((match) => ({
		start: match.index,
		file: match[1] ?? '',
	}));
	return (position) => starts.findLast(({ start }) => start <= position)?.file ?? '';
}
