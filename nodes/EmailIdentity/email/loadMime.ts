type MimeLibrary = typeof import('./mime');

let library: Promise<MimeLibrary> | undefined;

/** Loads the MIME library when the first email arrives, and once: a node that reads no mail never pays for it. */
export function loadMime(): Promise<MimeLibrary> {
	library ??= import('./mime');
	return library;
}
