/** Something that goes wrong while deliveries arrive. */
export interface Fault {
	name: string;
	/** resolves when everything works again */
	strike(): Promise<void>;
}

/**
 * Spreads faults evenly over a stream: each strikes while deliveries go on, and the stream waits only where
 * it would reach the next fault before the last one is over.
 *
 * @param length deliveries in the stream
 * @returns to be called before each delivery is sent, with its place; and a wait for the last fault's end
 */
export function faultsDuring(
	length: number,
	faults: readonly Fault[],
	say: (line: string) => void,
) {
	const distance = Math.ceil(length / (faults.length + 1));
	const over: Promise<void>[] = [];
	return {
		async before(place: number): Promise<void> {
			const index = Math.floor(place / distance) - 1;
			const fault = faults[index];
			if (fault && place % distance === 0) {
				await over[index - 1];
				say(fault.name);
				over[index] = fault.strike();
				// A failed one is reported by `allOver`.
				over[index].catch(() => {});
			}
			// Others that came after it wait for it too.
			if (fault && index > 0) await over[index - 1];
		},
		async allOver(): Promise<void> {
			await Promise.all(over);
		},
	};
}
