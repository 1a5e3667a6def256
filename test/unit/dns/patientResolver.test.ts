import { askPatiently } from '../../../nodes/EmailIdentity/dns/patientResolver';
import type { DnsAnswer, DnsResolver } from '../../../nodes/EmailIdentity/dns/resolver';
import { createZoneResolver } from './zoneResolver';

const PATIENCE = { total: 400, firstPause: 10 };

const KEY: DnsAnswer<'TXT'> = { status: 'found', records: ['v=DKIM1; p=abc'] };

/** Answers in turn, and at last always the same. */
function answering(...answers: DnsAnswer<'TXT'>[]): DnsResolver & { asked: number } {
	const waiting = [...answers];
	const resolver = {
		asked: 0,
		ask: async () => {
			resolver.asked++;
			return await Promise.resolve(waiting.length > 1 ? waiting.shift() : waiting[0]);
		},
	};
	return resolver as DnsResolver & { asked: number };
}

const FAILURES: Array<{ status: 'serverFailure' | 'unreachable'; reason: string }> = [
	{ status: 'serverFailure', reason: 'SERVFAIL' },
	{ status: 'unreachable', reason: 'nobody there' },
];

test.each(FAILURES)('$status is asked again, until there is an answer', async (failure) => {
	const resolver = answering(failure, failure, KEY);

	expect(await askPatiently(resolver, PATIENCE).ask('example.com', 'TXT')).toEqual(KEY);
	expect(resolver.asked).toBe(3);
});

test.each(FAILURES)('$status is given up in time, with its reason', async (failure) => {
	const resolver = answering(failure);

	expect(await askPatiently(resolver, PATIENCE).ask('example.com', 'TXT')).toEqual(failure);
	expect(resolver.asked).toBeGreaterThan(2);
});

const ANSWERS: DnsAnswer<'TXT'>[] = [KEY, { status: 'noData' }, { status: 'noSuchName' }];

test.each(ANSWERS)('$status is an answer, and not asked for again', async (answer) => {
	const resolver = answering(answer);

	expect(await askPatiently(resolver, PATIENCE).ask('example.com', 'TXT')).toEqual(answer);
	expect(resolver.asked).toBe(1);
});

test('a question without any answer ends in time', async () => {
	const silent: DnsResolver = { ask: async () => await new Promise(() => {}) };

	expect(await askPatiently(silent, PATIENCE).ask('example.com', 'TXT')).toEqual({
		status: 'unreachable',
		reason: 'no answer within 0.4 seconds',
	});
});

test('what failed before is told when then there is no answer', async () => {
	const failure = { status: 'unreachable', reason: 'nobody there' } as const;
	const answers = [failure];
	const falling = {
		ask: async () => await (answers.shift() ?? new Promise(() => {})),
	} as DnsResolver;

	expect(await askPatiently(falling, PATIENCE).ask('example.com', 'TXT')).toEqual(failure);
});

test('all questions together have the time, not each of them', async () => {
	const zones = createZoneResolver({
		'one.example': { serverFailure: 'SERVFAIL' },
		'two.example': { serverFailure: 'SERVFAIL' },
	});
	const patient = askPatiently(zones, PATIENCE);
	await patient.ask('one.example', 'TXT');
	const before = zones.asked.length;
	await patient.ask('two.example', 'TXT');

	expect(zones.asked.length - before).toBeLessThan(before);
});

test('a cancelled execution ends it', async () => {
	const cancelled: DnsResolver = {
		ask: async () => await Promise.reject(new Error('The execution was cancelled')),
	};

	await expect(askPatiently(cancelled, PATIENCE).ask('example.com', 'TXT')).rejects.toThrow(
		'cancelled',
	);
});
