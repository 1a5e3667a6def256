import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

const ROOT = join(__dirname, '../../../lib/email');

const CONSTANT = /^[A-Z_]+$/;

const WORD = /^[a-z][a-z\d]*(?:[-/+][a-z\d.]+)*$/;

/**
 * The words that some code knows, one of each class: a word that the code names alone, and one for all words that are in the same
 * lists. So a word that is added to the code is tried without anyone thinking of it.
 *
 * @param places folders and files of `lib/email`
 * @param isWanted leaves out words of another kind
 */
export function wordsIn(
	places: readonly string[],
	isWanted: (word: string) => boolean = () => true,
): string[] {
	const mentions = new Map<string, Set<string>>();
	for (const file of filesIn(places)) {
		const source = ts.createSourceFile(
			file,
			readFileSync(file, 'utf8'),
			ts.ScriptTarget.ESNext,
			true,
		);
		readMentions(source, relative(ROOT, file), mentions);
	}
	const classes = new Map<string, string>();
	for (const [word, found] of mentions) {
		if (!isWanted(word)) continue;
		const key = [...found].sort().join(' ');
		if (!classes.has(key)) classes.set(key, word);
	}
	return [...classes.values()].sort();
}

function filesIn(places: readonly string[]): string[] {
	return places.flatMap((place) => {
		const path = join(ROOT, place);
		if (path.endsWith('.ts')) return [path];
		const names = readdirSync(path).filter((name) => name.endsWith('.ts'));
		return names.map((name) => join(path, name));
	});
}

/** Notes for each word in which lists it is, or where it is named alone. */
function readMentions(
	source: ts.SourceFile,
	file: string,
	mentions: Map<string, Set<string>>,
): void {
	const note = (word: string, place: string): void => {
		if (!WORD.test(word)) return;
		const known = mentions.get(word) ?? new Set();
		mentions.set(word, known.add(place));
	};
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
		if (ts.isStringLiteralLike(node)) {
			const list = listAround(node);
			for (const word of node.text.split(/[\s:|]+/)) note(word, `${file} ${list ?? word}`);
		}
		if (ts.isPropertyAssignment(node)) {
			const word = node.name.getText();
			if (CONSTANT.test(listAround(node) ?? '')) note(word, `${file} ${word}`);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
}

/** The name of the table that a word is in; undefined for one that the code names alone. */
function listAround(node: ts.Node): string | undefined {
	for (let around = node.parent; around !== undefined; around = around.parent) {
		if (ts.isFunctionLike(around)) return undefined;
		if (!ts.isVariableDeclaration(around)) continue;
		if (ts.isSourceFile(around.parent.parent.parent)) return around.name.getText();
	}
	return undefined;
}
