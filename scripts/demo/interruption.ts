/** What the person at the keyboard, or the system, ends a program with. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that aborts when the program is asked to end, instead of ending it at once. */
export function interruption(): AbortSignal {
	const controller = new AbortController();
	for (const name of SIGNALS) process.once(name, () => controller.abort());
	return controller.signal;
}

/** Resolves when the program is asked to end. */
export async function interrupted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}
