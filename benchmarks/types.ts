export interface Goal {
	/** Whether the goal is for our own figure or for its ratio to the other one. */
	of: 'ours' | 'ratio';
	atLeast?: number;
	atMost?: number;
}

/** One figure of ours, beside what it is compared with: medians over all rounds. */
export interface Comparison {
	what: string;
	/** Such as `ms`, `/s`, `KB`; empty for a count. */
	unit: string;
	ours: number;
	against?: string;
	theirs?: number;
	/** Ours divided by theirs, the median over the rounds. */
	ratio?: number;
	goal: Goal;
}

export interface Bench {
	/** Fewer rounds, to see that everything works. */
	quick: boolean;
	/** A folder with raw emails of real people, for the lines that need them. */
	mails?: string;
	/** For files of this run; inside the project, so that its packages are found from there. */
	scratch: string;
	/** The same outside the project, where its packages are not found. */
	outside: string;
}

export interface Benchmark {
	name: string;
	/** What its figures mean for a person, in a few words. */
	title: string;
	run(bench: Bench): Promise<Comparison[]>;
}

/** When and where figures were measured. Figures of two places cannot be compared, so a page has those of one. */
export interface Place {
	/** Such as 2026-11-23. */
	date: string;
	machine: string;
	n8n: string;
	quick: boolean;
}

export interface Result {
	name: string;
	title: string;
	/** The share of the processors that other programs used before it was measured, from 0 to 1. */
	shareOfOthers: number;
	comparisons: Comparison[];
}

export interface Results {
	place: Place;
	measured: Result[];
}
