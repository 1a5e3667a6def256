import { BoundedMap } from '../lib/boundedMap';
import type { DnsFact } from './message';

/** How long an answer is remembered at most, in seconds, whatever its time to live says. */
const LONGEST: Readonly<Record<DnsFact['status'], number>> = {
	found: 3600,
	// A record that was forgotten is made in minutes, and then looked for.
	noData: 300,
	noSuchName: 300,
};

/** What is remembered in all, in characters. */
const LARGEST = 4_000_000;

/** What an answer without records takes, with its key, in characters. */
const SMALLEST = 500;

interface Remembered {
	answer: DnsFact;
	/** Milliseconds since 1970. */
	until: number;
	/** What it takes in memory, about: characters. */
	size: number;
}

/** Remembers what the DNS said for as long as it says, in bounded memory. Failures are not remembered. */
export class AnswerCache {
	private readonly answers = new BoundedMap<string, Remembered>(LARGEST, ({ size }) => size);

	get(key: string): DnsFact | undefined {
		const known = this.answers.get(key);
		if (known === undefined) return undefined;
		if (known.until > Date.now()) return known.answer;
		this.answers.delete(key);
		return undefined;
	}

	/** @param seconds how long the answer holds */
	set(key: string, answer: DnsFact, seconds: number): void {
		const kept = Math.min(seconds, LONGEST[answer.status]);
		if (kept <= 0) return;
		const size = SMALLEST + key.length + sizeOf(answer);
		this.answers.set(key, { answer, until: Date.now() + kept * 1000, size });
	}
}

function sizeOf(answer: DnsFact): number {
	return answer.status === 'found' ? JSON.stringify(answer.records).length : 0;
}
