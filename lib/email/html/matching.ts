import { isCell, type Attributes } from './elements';
import { MAYBE, NO, YES, type Described, type Part, type Selectors } from './selectors';

/** The parts of selectors that match an element, for sure or maybe. */
type Matches = ReadonlyMap<Part, number>;

/** An element that is open, or implied. */
export interface Place extends Described {
	matches: Matches;
	isImplied: boolean;
	/** Of its last child until now. */
	last: Matches;
}

/** Its rules are applied, and it is noted for elements that follow. */
const WORK_OF_MATCH = 20;

const OF_HEAD = /^(?:base|head|link|meta|script|style|title)$/;

const NO_ATTRIBUTES: Attributes = new Map();
const NO_MATCHES: Matches = new Map();

/** Follows the elements of an email, and finds the parts of selectors that match them. */
export class Matching {
	private readonly open: Place[] = [];

	private hasBody = false;

	constructor(readonly selectors: Selectors) {}

	/** The elements around all others, which browsers add where an email has not. */
	openPage(): Place[] {
		return ['html', 'body'].map((name) => this.push(name, NO_ATTRIBUTES, false));
	}

	/** What comes before the body is not among its elements. */
	startBody(): void {
		this.hasBody = true;
	}

	/**
	 * Called where an element begins.
	 *
	 * @returns undefined if no more elements are compared
	 */
	start(name: string, attributes: Attributes): Place | undefined {
		if (this.selectors.isExhausted) return undefined;
		if (!this.hasBody && OF_HEAD.test(name)) return newPlace(name, attributes);
		const index = ['html', 'body'].indexOf(name);
		if (index !== 0) this.startBody();
		const place = this.open[index];
		if (place) {
			this.count(place, -1);
			place.attributes = attributes;
			place.classes = classesOf(attributes);
			place.matches = this.matchesOf(place, this.open[index - 1]);
			this.count(place, 1);
			return place;
		}
		for (;;) {
			const { name: around = '', isImplied } = this.open.at(-1) ?? {};
			const implied = impliedBetween(around, name);
			if (implied !== undefined) this.push(implied, NO_ATTRIBUTES, true);
			else if (isImplied && !(around === 'tr' ? isCell(name) : name === 'tr')) this.pop();
			else return this.push(name, attributes, false);
		}
	}

	/** Called where it ends, also for an element without content. */
	end(place: Place): void {
		const index = this.open.lastIndexOf(place);
		while (index > 1 && this.open.length > index) this.pop();
	}

	private push(name: string, attributes: Attributes, isImplied: boolean): Place {
		const parent = this.open.at(-1);
		const place = newPlace(name, attributes, isImplied);
		place.matches = this.matchesOf(place, parent);
		if (parent) parent.last = place.matches;
		this.open.push(place);
		this.count(place, 1);
		return place;
	}

	private pop(): void {
		const place = this.open.pop();
		if (place) this.count(place, -1);
	}

	/** Counts it among the elements around others. */
	private count({ matches }: Place, change: 1 | -1): void {
		for (const [{ around }, match] of matches) {
			if (around) around[match] = (around[match] ?? 0) + change;
		}
	}

	private matchesOf(place: Place, parent: Place | undefined): Matches {
		const candidates = this.selectors.isExhausted ? [] : this.selectors.partsFor(place);
		if (candidates.length === 0) return NO_MATCHES;
		const matches = new Map<Part, number>();
		for (const part of candidates) {
			let match = relatedMatch(part, parent);
			const tests = match > NO ? part.tests : [];
			for (const test of tests) match = match && Math.min(match, test(place));
			if (match > NO) {
				matches.set(part, match);
				part.isMet = true;
			}
			this.selectors.spend(1 + tests.length);
		}
		this.selectors.spend(matches.size * WORK_OF_MATCH);
		return matches;
	}
}

/** Whether another element matches the part before the combinator. For `~`, any earlier element may. */
function relatedMatch({ combinator, before }: Part, parent: Place | undefined): number {
	if (!before) return YES;
	if (combinator === '>') return parent?.matches.get(before) ?? NO;
	if (combinator === '+') return parent?.last.get(before) ?? NO;
	if (combinator === '~') return before.isMet ? MAYBE : NO;
	return before.around?.[YES] ? YES : before.around?.[MAYBE] ? MAYBE : NO;
}

/** The element that browsers add between a table, or a part of it, and what needs one. */
function impliedBetween(around: string, name: string): string | undefined {
	if (around === 'table' && (name === 'tr' || isCell(name))) return 'tbody';
	return /^t(?:body|foot|head)$/.test(around) && isCell(name) ? 'tr' : undefined;
}

function newPlace(name: string, attributes: Attributes, isImplied = false): Place {
	const [matches, last, classes] = [NO_MATCHES, NO_MATCHES, classesOf(attributes)];
	return { name, attributes, classes, matches, isImplied, last };
}

function classesOf(attributes: Attributes): ReadonlySet<string> {
	return new Set(attributes.get('class')?.split(/\s+/));
}
