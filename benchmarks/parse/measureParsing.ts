/** Runs in a process of its own: measures one parser on some emails. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import { simpleParser } from 'mailparser';
import type { DnsResolver } from '../../lib/dns';
import { openEmail, splitEmail } from '../../lib/email';
import { checkSender } from '../../lib/proof';
import { watchMemory } from '../../test/hostile/support/memory';
import { readEmail } from '../../test/support/reading';

/** `proved`: ours with Sender Check. */
export type ParserName = 'mailparser' | 'ours' | 'proved';

export interface ParsingTask {
	parser: ParserName;
	/** Paths of raw emails. */
	emails: string[];
	/** Path of a small email of the same kind, to have everything loaded. */
	warmUp: string;
	/** How many files each email has, to know that all are read; undefined if they are different. */
	files?: number;
	/** How often all emails are read before they are measured, and then again. */
	times: number;
}

export interface ParsingFigures {
	/** Milliseconds of processor time for one email. */
	time: number;
	/** Bytes that were needed at most, above what the process had with the emails in its hands. */
	peakMemory: number;
}

/** Takes a raw email apart; gives how many files came out, so that all are known to have done the work. */
type Parse = (rawEmail: string) => Promise<number>;

const OPTIONS = { attachments: true, headers: true, binaryPrefix: 'attachment_' };

const PARSERS: Record<ParserName, Parse> = { ours: read, proved: readProved, mailparser };

async function read(rawEmail: string): Promise<number> {
	const { files } = await readEmail(rawEmail, undefined, OPTIONS);
	return files.length;
}

async function readProved(rawEmail: string): Promise<number> {
	const { email, authentication } = await checkSender(splitEmail(rawEmail), {
		resolver: RESOLVER,
		trustedServers: [],
		pause,
		open: async (signed) => await openEmail(signed, { pause }),
	});
	if (email === undefined) throw new Error(authentication.reason ?? '');
	const { files } = await email.read(OPTIONS);
	return files.length;
}

/** Without the HTML that it makes of plain text, because our output has none. */
async function mailparser(rawEmail: string): Promise<number> {
	const { attachments } = await simpleParser(rawEmail, {
		skipTextToHtml: true,
		skipTextLinks: true,
	});
	return attachments.length;
}

const { DKIM_KEY = '' } = process.env;

/** Only the key of `senderCheck.ts` is there. */
const RESOLVER: DnsResolver = {
	ask: async (name) => {
		const isKey = name.startsWith('own.');
		return await Promise.resolve(
			isKey ? { status: 'found', records: [DKIM_KEY] } : { status: 'noSuchName' },
		);
	},
};

async function pause(): Promise<void> {
	await setImmediate();
}

async function measure(task: ParsingTask): Promise<ParsingFigures> {
	const parse = PARSERS[task.parser];
	const emails = task.emails.map((file) => readFileSync(file, 'utf8'));
	const parseAll = async (): Promise<void> => {
		for (const email of emails) {
			// mailparser throws at some real emails.
			const files = await parse(email).catch(() => undefined);
			if (task.files !== undefined && files !== task.files) {
				throw new Error(`${task.parser} found ${files} files.`);
			}
		}
	};
	await parse(readFileSync(task.warmUp, 'utf8'));
	const memory = watchMemory();
	await parseAll();
	const peakMemory = memory.end();
	for (let warm = 0; warm < task.times; warm++) await parseAll();
	const start = process.cpuUsage();
	for (let count = 0; count < task.times; count++) await parseAll();
	const { user, system } = process.cpuUsage(start);
	const milliseconds = (user + system) / 1000;
	return { time: milliseconds / task.times / emails.length, peakMemory };
}

void measure(JSON.parse(process.argv[2] ?? '{}') as ParsingTask).then((figures) => {
	process.stdout.write(JSON.stringify(figures));
});
