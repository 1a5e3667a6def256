import { mail } from './deliveries';

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** A delivery as it goes over the wire. */
export interface MutatedDelivery {
	body: Buffer;
	headers: Record<string, string>;
}

const ODD_VALUES: unknown[] = [
	null,
	true,
	0,
	-1.5e300,
	'',
	' ',
	'\u0000',
	'\uD800',
	'x'.repeat(5_000),
	[],
	[[]],
	{},
	{ id: { id: {} } },
	'__proto__',
	'=?utf-8?B?////?=',
	'Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n',
];

const CONTENT_TYPES = [
	undefined,
	'application/json',
	'application/json; charset=utf-8',
	'application/json;charset=latin1',
	'text/plain;charset=UTF-8',
	'text/plain; charset=utf-16le',
	'application/octet-stream',
	'application/x-www-form-urlencoded',
	'text/html',
	';;;',
];

const ENCODINGS = [undefined, undefined, undefined, 'gzip', 'deflate', 'br', 'identity'];

/** An event with something about it changed: a value, a name, a stretch of its text, or how it is sent. */
export function mutatedDelivery(random: () => number): MutatedDelivery {
	const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
	const event = {
		event: 'message.received',
		data: {
			message: { id: `m-${Math.floor(random() * 1_000)}`, subject: 'Hello', to: null },
			rawEmail: mail({ attachment: { name: 'a.txt', content: 'text' }, trace: String(random()) }),
		},
	};
	const changes: Array<(text: string) => string> = [
		(text) => text,
		(text) => safe(withOddValue(parsed(text), random, pick(ODD_VALUES))),
		(text) => safe(withOddValue(parsed(text), random, undefined)),
		(text) => text.slice(0, Math.floor(random() * text.length)),
		(text) => splice(text, random, pick(['', '"', '{', '\\', '\u0000', '\uFEFF', '[1e999]'])),
		(text) => splice(text, random, text.slice(0, Math.floor(random() * 200))),
		(text) => text.replace('"id"', pick(['"__proto__"', '"constructor"', '"id2"', '"toString"'])),
		(text) => `${'['.repeat(Math.floor(random() * 3_000))}${text}`,
		() => safe(pick(ODD_VALUES)),
	];
	const body = Buffer.from(pick(changes)(pick(changes)(safe(event))));
	if (random() < 0.2) flipBytes(body, random);
	const type = pick(CONTENT_TYPES);
	const encoding = random() < 0.9 ? undefined : pick(ENCODINGS);
	return {
		body,
		headers: {
			...(type === undefined ? {} : { 'content-type': type }),
			...(encoding === undefined ? {} : { 'content-encoding': encoding }),
		},
	};
}

const safe = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** Text that an earlier change broke counts as one value. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Puts a value into the place of another one, somewhere in the tree; undefined takes one away. */
function withOddValue(tree: unknown, random: () => number, value: unknown): unknown {
	if (tree === null || typeof tree !== 'object') return value;
	const keys = Object.keys(tree);
	const key = keys[Math.floor(random() * keys.length)];
	if (key === undefined || random() < 0.2) return value ?? null;
	const branch = (tree as Record<string, unknown>)[key];
	const changed = random() < 0.4 ? value : withOddValue(branch, random, value);
	return { ...tree, [key]: changed };
}

function splice(text: string, random: () => number, inserted: string): string {
	const start = Math.floor(random() * text.length);
	const end = start + Math.floor(random() * 20);
	return text.slice(0, start) + inserted + text.slice(end);
}

function flipBytes(bytes: Buffer, random: () => number): void {
	for (let flips = 1 + Math.floor(random() * 10); flips > 0 && bytes.length > 0; flips--) {
		bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
	}
}
