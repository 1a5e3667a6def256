type Runtime = typeof import('./runtime');

let runtime: Promise<Runtime> | undefined;

/** Loads what the nodes do when one of them is first used, and once: n8n's start does not wait for it. */
export function loadRuntime(): Promise<Runtime> {
	runtime ??= import('./runtime');
	return runtime;
}
