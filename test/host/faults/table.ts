/** How one cell of the matrix ended, in words for operators. */
export interface Cell {
	subject: string;
	fault: string;
	words: string;
}

const INTRODUCTION = `# What a fault does

Every operation of the action node, every step in the life of the trigger's subscription, and every delivery for which
the service is asked something, hit once by every fault that a service or a network can have. This page is written by
\`test/host/faults\`, which runs the nodes in n8n's own contexts against the sandbox and asserts each cell.

- **fine**: it does no harm.
- **repeated**: the request was sent again, and the operation succeeded.
- **found**: the answer was lost; a look at the list showed what had been done, and the operation succeeded.
- **error**: the operation failed with a sentence that says what happened and what to do. Nothing was done.
- **error, done**: the same, but the service had acted before its answer was spoilt. The error of a creation says so.
- **logged**: n8n's log says what could not be done; n8n goes on. It is mended at the next activation or check.
- **taken for gone**: the service says that the subscription is not there, so there is nothing to switch off.
- **logged, done**: the same, but the service had acted before its answer was spoilt.
- **logged, replaced**: the subscription belongs to another account by what the service says; the trigger makes one of its own and says where the other one is.

Of a delivery:

- **put off**: it is answered 503 with \`Retry-After: 60\`, and counts as never seen: repeated a minute later, it starts the workflow. A service that repeats nothing loses it for the workflow.
- **ignored**, **refused with 403**: what the service says of the email is believed. It starts nothing.
- **no recipient**: it starts the workflow, and \`delivery.recipient\` is null.

Where a sender is checked, the DNS is asked, not the service. Whatever fails there is asked again for up to five seconds. Then Only Authenticated Senders puts the email off, and Check Sender starts the workflow with the result \`unknown\` (\`test/host/trigger/delivery/dnsFailures.test.ts\`).
`;

/**
 * Draws the matrix: faults downwards, subjects in groups across, so that it can be read on a page.
 *
 * @param groups names of the subjects that go into one table
 */
export function drawTables(
	cells: readonly Cell[],
	groups: ReadonlyArray<{ title: string; subjects: readonly string[] }>,
): string {
	const faults = [...new Set(cells.map(({ fault }) => fault))];
	const words = new Map(cells.map(({ subject, fault, words }) => [`${subject}|${fault}`, words]));
	const tables = groups.map(({ title, subjects }) => {
		const head = ['fault', ...subjects];
		const struck = faults.filter((fault) => subjects.some((name) => words.has(`${name}|${fault}`)));
		const rows = struck.map((fault) => [
			fault,
			...subjects.map((subject) => words.get(`${subject}|${fault}`) ?? ''),
		]);
		const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
		return `## ${title}\n\n${lines.join('\n')}\n`;
	});
	return [INTRODUCTION, ...tables].join('\n');
}
