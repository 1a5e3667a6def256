/** A failure that the user can solve. Its message says what happened and what to do; no stack is printed. */
export class SetupFailure extends Error {
	/**
	 * @param {string} message
	 * @param {string} [details] what a program printed
	 */
	constructor(message, details = '') {
		super(message);
		this.name = 'SetupFailure';
		this.details = details;
		// Jest prints the stack of an error in its set-up.
		this.stack = [details, message].filter((part) => part !== '').join('\n\n');
	}
}

/**
 * Runs a command-line script and turns an error into a message and exit code 1.
 *
 * @param {() => unknown} body
 * @returns {Promise<void>}
 */
export async function runScript(body) {
	try {
		requireRecentNode();
		await body();
	} catch (error) {
		process.stderr.write(`${describe(error)}\n`);
		process.exitCode = 1;
	}
}

function describe(error) {
	if (error?.name !== 'SetupFailure') return `\n${error?.stack ?? String(error)}`;
	return [error.details, `\n${error.message}`].filter((text) => text !== '').join('\n');
}

/** The oldest Node.js for the project's own tools, as in `engines` of package.json. */
const OLDEST_NODE = { major: 20, minor: 19 };

function requireRecentNode() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major > OLDEST_NODE.major) return;
	if (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor) return;
	throw new SetupFailure(
		`Node ${process.versions.node} is too old: install Node ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or later (https://nodejs.org) and run this again.`,
	);
}
