import type { FaultRule, Sandbox } from '../../../sandbox';

/** What kind of request a fault hits: repeating it is safe for some and not for others. */
export type RequestKind = 'read' | 'change' | 'removal' | 'creation';

/**
 * How an operation ends that is hit by a fault once:
 * - `fine`: the fault does no harm, nothing has to be repeated;
 * - `repeated`: the request was sent again, and the operation succeeded;
 * - `error`: the operation failed with a sentence that says what happened and what to do.
 */
export type Outcome = 'fine' | 'repeated' | 'error';

export interface Fault {
	name: string;
	/** What the service does to the first fitting request; left out: it is not there at all. */
	rule?: Omit<FaultRule, 'method' | 'path' | 'count'>;
	/** Milliseconds that one attempt may take, where the fault is about time. */
	timeout?: number;
	expected: Record<RequestKind, Outcome>;
	/** What the error of an operation says. */
	message?: RegExp;
	/** The same where nothing was to be created, so that nothing is said about that. */
	unlessCreation?: RegExp;
	/** Whether the service did what it was asked although the fault hid that. */
	acts?: boolean;
}

/** Long enough for a machine under load to answer in, short enough to be waited for. */
const SHORT = 1500;

const everywhere = (outcome: Outcome): Record<RequestKind, Outcome> => ({
	read: outcome,
	change: outcome,
	removal: outcome,
	creation: outcome,
});

/** A creation is repeated only where the service says that it has not begun with it. */
const REPEATED_WHERE_SAFE: Record<RequestKind, Outcome> = {
	...everywhere('repeated'),
	creation: 'error',
};

const status = (code: number, more: object = {}): Fault['rule'] => ({
	answer: { type: 'status', status: code, ...more },
});

const ISSUES = [{ path: 'field.0', message: 'Must be another value', code: 'invalid_value' }];

export const FAULTS: readonly Fault[] = [
	{
		name: 'connection refused',
		expected: everywhere('error'),
		message: /cannot be reached/,
	},
	{
		name: 'reset before the service acted',
		rule: { answer: { type: 'drop' } },
		expected: REPEATED_WHERE_SAFE,
		message: /connection to the service broke/,
	},
	{
		name: 'reset after the service acted',
		rule: { answer: { type: 'drop' }, acts: true },
		expected: REPEATED_WHERE_SAFE,
		message: /connection to the service broke.*may have been created/s,
		unlessCreation: /connection to the service broke/,
		acts: true,
	},
	{
		name: 'no answer in time',
		rule: { delayAfter: 4 * SHORT },
		timeout: SHORT,
		expected: REPEATED_WHERE_SAFE,
		message: /took too long to answer.*may have been created/s,
		unlessCreation: /took too long to answer/,
		acts: true,
	},
	{
		name: 'answer trickles in',
		rule: { answer: { type: 'trickle', chunkBytes: 1, intervalMilliseconds: SHORT } },
		timeout: SHORT,
		expected: REPEATED_WHERE_SAFE,
		message: /took too long to answer/,
		acts: true,
	},
	{ name: '401', rule: status(401), expected: everywhere('error'), message: /refused the API key/ },
	{
		name: '403',
		rule: status(403),
		expected: everywhere('error'),
		message: /has no access|another account|not allowed/,
	},
	{ name: '404', rule: status(404), expected: everywhere('error'), message: /was not found/ },
	{ name: '409', rule: status(409), expected: everywhere('error'), message: /conflict/ },
	{
		name: '422 with issues',
		rule: status(422, { issues: ISSUES }),
		expected: everywhere('error'),
		message: /refused the .* as invalid/,
	},
	{
		name: '429 with Retry-After',
		rule: status(429, { headers: { 'retry-after': '1' } }),
		expected: everywhere('repeated'),
	},
	{ name: '429', rule: status(429), expected: everywhere('repeated') },
	{
		name: '500',
		rule: status(500),
		expected: everywhere('error'),
		message: /internal error|could not create the webhook/,
		unlessCreation: /internal error/,
	},
	{ name: '502', rule: status(502), expected: REPEATED_WHERE_SAFE, message: /not available/ },
	{
		name: '503 with Retry-After',
		rule: status(503, { headers: { 'retry-after': '1' } }),
		expected: everywhere('repeated'),
	},
	{
		name: '503',
		rule: status(503),
		expected: REPEATED_WHERE_SAFE,
		message: /not available at the moment.*may have been created/s,
		unlessCreation: /not available at the moment/,
	},
	{
		name: '503 of a proxy after the service acted',
		rule: { ...status(503), acts: true },
		expected: REPEATED_WHERE_SAFE,
		message: /not available at the moment.*may have been created/s,
		unlessCreation: /not available at the moment/,
		acts: true,
	},
	{ name: '504', rule: status(504), expected: REPEATED_WHERE_SAFE, message: /not available/ },
	{
		name: 'a web page with 200',
		rule: { answer: { type: 'html' } },
		expected: everywhere('error'),
		message: /cannot be read/,
	},
	{
		name: 'truncated JSON',
		rule: { answer: { type: 'truncatedJson' } },
		expected: everywhere('error'),
		message: /cannot be read/,
		acts: true,
	},
	{
		name: 'redirect to another origin',
		rule: { answer: { type: 'redirect', location: 'https://elsewhere.example/api' } },
		expected: everywhere('error'),
		message: /another address.*elsewhere\.example/s,
	},
	{
		name: 'wrong content type',
		rule: { answer: { type: 'contentType', contentType: 'text/html' } },
		expected: everywhere('fine'),
		acts: true,
	},
];

/** Makes a fault happen to the first request that fits. */
export async function strike(
	sandbox: Sandbox,
	{ rule }: Fault,
	request: { method: string; path: string },
): Promise<void> {
	if (rule) sandbox.addFault({ ...rule, ...request, count: 1 });
	else await sandbox.goDown();
}

/** Ends whatever a fault began. */
export async function recover(sandbox: Sandbox, { rule }: Fault): Promise<void> {
	sandbox.clearFaults();
	if (!rule) await sandbox.comeBack();
}
