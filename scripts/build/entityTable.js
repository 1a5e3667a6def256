/** Written after a name that browsers also take without its semicolon, as in `&copy 2025`. */
const WITHOUT_SEMICOLON = '!';

/**
 * Packs named characters into a text a third as long: characters in their order, each as its distance from the one before
 * it (nothing for the next one) and its names.
 *
 * @param entities characters by name, such as `&euro;`, or `&copy` where no semicolon is needed
 */
exports.pack = (entities) => {
	const names = new Map();
	for (const [name, character] of Object.entries(entities)) {
		if (!name.endsWith(';')) continue;
		const plain = name.slice(1, -1);
		const mark = entities[`&${plain}`] === character ? WITHOUT_SEMICOLON : '';
		names.set(character, [...(names.get(character) ?? []), plain + mark]);
	}
	let previous = 0;
	return [...names]
		.sort(([left], [right]) => left.charCodeAt(0) - right.charCodeAt(0))
		.map(([character, all]) => {
			const distance = character.charCodeAt(0) - previous;
			previous += distance;
			return `${distance === 1 ? '' : distance} ${all.join()}`;
		})
		.join(';');
};

/** The opposite. It is shipped along with the text, so it uses nothing from outside. */
exports.unpack = function unpack(text) {
	const entities = {};
	let code = 0;
	for (const entry of text.split(';')) {
		const [distance, names] = entry.split(' ');
		code += Number(distance || 1);
		const character = String.fromCharCode(code);
		for (const name of names.split(',')) {
			const plain = name.replace('!', '');
			entities[`&${plain};`] = character;
			if (plain !== name) entities[`&${plain}`] = character;
		}
	}
	return entities;
};
