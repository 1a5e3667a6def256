/** A failure that the user can solve. Its message says what happened and what to do; no stack is printed. */
export class SetupFailure extends Error {
	constructor(message, details = '') {
		super(message);
		this.name = 'SetupFailure';
		this.details = details;
		// Jest prints the stack of an error in its set-up.
		this.stack = [details, message].filter((part) => part !== '').join('\n\n');
	}
}

/** Runs a command-line script and turns an error into a message and exit code 1. */
export async function runScript(body) {
	try {
		requireRecentNode();
		await body();
	} catch (error) {
		const expected = error instanceof SetupFailure || error?.name === 'SetupFailure';
		if (expected && error.details) process.stderr.write(`${error.details}\n`);
		process.stderr.write(`\n${expected ? error.message : (error?.stack ?? String(error))}\n`);
		process.exitCode = 1;
	}
}

/** The oldest Node.js for the project's own tools, as in `engines` of package.json. */
const OLDEST_NODE = [20, 19];

function requireRecentNode() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = OLDEST_NODE;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	throw new SetupFailure(
		`Node ${process.versions.node} is too old: install Node ${OLDEST_NODE.join('.')} or later (https://nodejs.org) and run this again.`,
	);
}
