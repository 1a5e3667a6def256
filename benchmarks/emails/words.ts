const WORDS =
	'meeting invoice thanks please find attached order number delivery address customer question answer regards team project tomorrow morning schedule confirm receipt payment account details price offer until Friday contract signed copy café größer naïve'.split(
		' ',
	);

/** Numbers below 2^32, always the same ones for the same seed: every run measures the same emails. */
export function numbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state;
	};
}

/** Prose in lines of ordinary length. */
export function prose(characters: number, next: () => number): string {
	let text = '';
	let line = '';
	while (text.length + line.length < characters) {
		line += `${WORDS[next() % WORDS.length]} `;
		if (line.length > 68) {
			text += `${line.trimEnd()}\r\n`;
			line = '';
		}
	}
	return text + line;
}

/** Bytes that no compression makes smaller, like those of a picture or an archive. */
export function noise(bytes: number, next: () => number): Buffer {
	const content = Buffer.alloc(Math.max(4, Math.ceil(bytes / 4) * 4));
	for (let at = 0; at < content.length; at += 4) content.writeUInt32LE(next(), at);
	return content.subarray(0, bytes);
}
