/** How large the measurements are. */
export interface Size {
	name: 'full' | 'short';
	/** deliveries in queue mode: so many messages, and repeats of some */
	messages: number;
	repeats: number;
	/** beside those, deliveries that must be refused */
	refused: number;
	/** deliveries of messages that were handled long ago, after everything */
	afterwards: number;
	connections: number;
	/** crashes of the single n8n */
	crashes: number;
	/** how long a worker's lock on an execution lasts, and how often n8n looks for those that expired, in ms */
	lock: number;
	look: number;
	/** emails that come by way of a gateway while n8n is down, and up again */
	emails: number;
}

const SIZES: Record<Size['name'], Size> = {
	full: {
		name: 'full',
		messages: 4_000,
		repeats: 1_000,
		refused: 150,
		afterwards: 400,
		connections: 50,
		crashes: 20,
		// n8n's defaults
		lock: 60_000,
		look: 30_000,
		emails: 300,
	},
	short: {
		name: 'short',
		messages: 320,
		repeats: 80,
		refused: 30,
		afterwards: 60,
		connections: 50,
		crashes: 2,
		lock: 15_000,
		look: 10_000,
		emails: 60,
	},
};

/** The short one, unless the environment variable `SCALE_SIZE` says `full`. */
export function chosenSize(): Size {
	return SIZES[process.env.SCALE_SIZE === 'full' ? 'full' : 'short'];
}

/** The environment variable `SCALE_SEED` brings back a run's order and moments. */
export function chosenSeed(): number {
	return Number(process.env.SCALE_SEED ?? 1);
}
