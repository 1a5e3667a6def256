/** What a figure has to be for its line of the table to count as reached. */
export interface Goal {
	/** Whether the goal is set for our own figure or for its ratio to the other one. */
	of: 'ours' | 'ratio';
	atLeast?: number;
	atMost?: number;
}

/** One figure of ours, beside what it is compared with. Figures are medians over all rounds. */
export interface Comparison {
	/** What was measured, such as `accepted per second`. */
	what: string;
	/** Such as `ms`, `/s`, `KB`; empty for a count. */
	unit: string;
	ours: number;
	/** Whom ours is compared with. */
	against?: string;
	theirs?: number;
	/** Ours divided by theirs, the median over the rounds: only what was measured side by side is compared. */
	ratio?: number;
	goal?: Goal;
}

/** How a cost grows, drawn as a chart. */
export interface Growth {
	/** Names the chart's file. */
	id: string;
	title: string;
	xLabel: string;
	yLabel: string;
	curves: Curve[];
}

export interface Curve {
	label: string;
	points: { x: number; y: number }[];
}

/** What a benchmark found out. */
export interface Outcome {
	comparisons: Comparison[];
	growth?: Growth[];
}

/** What a benchmark is given to work with. */
export interface Bench {
	/** A short form: fewer rounds, to see that everything works. */
	quick: boolean;
	/** Tells the person waiting what is being done. */
	say(line: string): void;
	/** A folder for files of this run; inside the project, so that its packages are found from there. */
	scratch: string;
	/** Another one, outside the project, where its packages are not found. */
	outside: string;
}

export interface Benchmark {
	/** As given to `--only`. */
	name: string;
	/** What it measures, for the table. */
	title: string;
	run(bench: Bench): Promise<Outcome>;
}
