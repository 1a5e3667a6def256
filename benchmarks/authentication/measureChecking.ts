/** Runs in a process of its own: measures the check of one email's sender, with the DNS in memory. */
import { readFileSync } from 'node:fs';
import { checkSender } from '../../nodes/EmailIdentity/dns/authentication';
import { watchBlocks } from '../../test/hostile/blocks';
import { createZoneResolver, type Zones } from '../../test/unit/dns/zoneResolver';

/** What to measure. */
export interface CheckingTask {
	file: string;
	/** A small email of the same kind, to have everything loaded. */
	warmUp: string;
	zones: Zones;
}

/** What was measured, in milliseconds. */
export interface CheckingFigures {
	time: number;
	/** The longest time that n8n could do nothing else. */
	longestBlock: number;
}

async function measure({ file, warmUp, zones }: CheckingTask): Promise<CheckingFigures> {
	const options = { resolver: createZoneResolver(zones), trustedServers: [] };
	const email = readFileSync(file, 'utf8');
	await checkSender(readFileSync(warmUp, 'utf8'), options);
	const blocks = await watchBlocks();
	const start = performance.now();
	const { authentication } = await checkSender(email, options);
	const time = performance.now() - start;
	const longestBlock = await blocks.end();
	if (authentication.result !== 'pass') throw new Error(`It is ${authentication.reason}`);
	return { time, longestBlock };
}

void measure(JSON.parse(process.argv[2] ?? '{}') as CheckingTask).then((figures) => {
	process.stdout.write(JSON.stringify(figures));
});
