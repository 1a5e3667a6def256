import { NO_ATTRIBUTES } from '../../../lib/email/text/html/elements';
import { OUTERMOST, placeWithin } from '../../../lib/email/text/blocks/places';
import type { Filling, Input } from './input';
import { REFERENCES } from './references';
import { STRUCTURE_NAMES, type StructureName } from './structures';
import { WAYS, type Way } from './values';
import { wordsIn } from './words';

const FEW_WAYS: readonly Way[] = ['same', 'different', 'long', 'deep'];
const WAYS_OF_REFERENCES: readonly Way[] = ['same', 'spelled', 'different', 'long'];

/** Every word of the code in every position, and every reference, in all ways. */
export function allInputs(): Input[] {
	const inputs = [
		...fieldsOfEmails(),
		...fieldsOfParts(),
		...parameters(),
		...elements(),
		...attributes(),
		...properties(),
		...references(),
	];
	const names = new Map(inputs.map((input) => [input.name, input]));
	return [...names.values()];
}

const isField = (word: string): boolean => !word.includes('/') && word.length > 1;

/** Fields of the email itself, above HTML and pictures that refer to each other in every way. */
function fieldsOfEmails(): Input[] {
	const words = wordsIn(
		['message', 'reports', 'mime/contentHeader.ts', 'mime/mimeStructure.ts'],
		isField,
	);
	return words.flatMap((word) =>
		FEW_WAYS.map((way) => {
			const field: Filling = { place: 'fields', way, unit: `${word}: $\r\n` };
			return named('related', `field ${word}`, [field, ...everyReference()]);
		}),
	);
}

/** Fields of containers, of the HTML and of pictures. */
function fieldsOfParts(): Input[] {
	const words = wordsIn(['mime/contentHeader.ts'], (word) => word.startsWith('content-'));
	const places = ['containers', 'htmlFields', 'pictures'] as const;
	const structures: StructureName[] = ['related', 'deep', 'two branches, HTML deep'];
	return words.flatMap((word) =>
		places.flatMap((place) =>
			structures.flatMap((structure) =>
				WAYS.map((way) => {
					const field: Filling = { place, way, unit: `${word}: $\r\n` };
					const others = everyReference().filter((other) => other.place !== place);
					return named(structure, `field ${word} of ${place}`, [field, ...others]);
				}),
			),
		),
	);
}

function parameters(): Input[] {
	const words = wordsIn(['mime/contentHeader.ts'], isField);
	const types = wordsIn(['mime', 'files', 'reports', 'text'], (word) => word.includes('/'));
	return [
		...words.flatMap((word) =>
			WAYS.flatMap((way) => [
				named('related', `parameter ${word} of pictures`, [
					{
						place: 'pictures',
						way,
						unit: `Content-Disposition: inline; ${word}="$"\r\nContent-ID: <$>\r\n`,
					},
					htmlUse(),
				]),
				named('whole', `parameter ${word}`, [
					{ place: 'fields', way, unit: `Content-Type: text/html; ${word}="$"\r\n` },
					htmlUse(),
				]),
			]),
		),
		...types.flatMap((type) =>
			FEW_WAYS.map((way) =>
				named('related', `type ${type}`, [
					{
						place: 'pictures',
						way,
						unit: `Content-Type: ${type}; name="$"\r\nContent-ID: <$>\r\n`,
					},
					htmlUse(),
				]),
			),
		),
	];
}

/** Each element in each that changes the place, many and within each other. */
function elements(): Input[] {
	const words = wordsIn(['text/html', 'text/blocks', 'text/walk'], (word) =>
		/^[a-z]+\d?$/.test(word),
	);
	const contexts = ['', ...contextsOf(words)];
	return words.flatMap((word) => {
		const unit = { unit: `<${word} class=$>b`, close: `</${word}>` };
		const inside = contexts.flatMap((context): Input[] => {
			const before = context === '' ? '' : `<${context}>`;
			return [
				named('whole', `element ${word} in ${context}`, [
					{ place: 'html', way: 'same', unit: `<${word}>b`, before },
				]),
				named('whole', `element ${word} in ${context}, closed`, [
					{ place: 'html', way: 'deep', unit: `<${word}>`, close: `</${word}>`, before },
				]),
			];
		});
		const ways: Way[] = ['same', 'different', 'long'];
		return [
			...inside,
			...ways.map((way) => named('whole', `element ${word}`, [{ place: 'html', way, ...unit }])),
		];
	});
}

/** One element for each change of the place. */
function contextsOf(words: readonly string[]): string[] {
	const found = new Map<string, string>();
	for (const word of words) {
		const place = placeWithin({ ...OUTERMOST, table: undefined }, word, NO_ATTRIBUTES);
		const changed = Object.entries(place).filter(
			([key, value]) => value !== Reflect.get(OUTERMOST, key),
		);
		const change = changed.map(([key]) => key).join(' ');
		if (change !== '' && !found.has(change)) found.set(change, word);
	}
	return [...found.values(), 'a href=https://a.example', 'blockquote', 'table><tr'];
}

function attributes(): Input[] {
	const read = Object.keys(NO_ATTRIBUTES);
	const shown = wordsIn(['files/pictureAddresses.ts']);
	return [...new Set([...read, ...shown])].flatMap((word) =>
		['td', 'img'].flatMap((element) =>
			WAYS.map((way) =>
				named('related', `attribute ${word} of ${element}`, [
					{ place: 'html', way, unit: `<${element} ${word}="$">x` },
					{ place: 'pictures', way: 'different', unit: 'Content-Location: $\r\n' },
				]),
			),
		),
	);
}

function properties(): Input[] {
	const words = wordsIn(['text/styles'], (word) => /^[a-z]+(?:-[a-z]+)*$/.test(word));
	return words.flatMap((word) =>
		FEW_WAYS.flatMap((way) => [
			named('whole', `property ${word}`, [{ place: 'html', way, unit: `<p style="${word}:$">x` }]),
			named('whole', `property ${word} in a sheet`, [
				{ place: 'html', way, before: '<style>', unit: `p{${word}:$}`, after: '</style>' },
				{ place: 'html', way: 'same', unit: '<p>x' },
			]),
		]),
	);
}

function references(): Input[] {
	return REFERENCES.flatMap(({ name, definition, use }) =>
		STRUCTURE_NAMES.flatMap((structure) =>
			WAYS_OF_REFERENCES.flatMap((defined) =>
				WAYS_OF_REFERENCES.map((used): Input => {
					const fillings: Filling[] = [
						{ ...definition, way: defined },
						{ ...use, way: used },
					];
					return { name: `${name}, ${defined} and ${used}, ${structure}`, structure, fillings };
				}),
			),
		),
	);
}

/** Short names in each place that can have some. */
function everyReference(): Filling[] {
	const pictures: Filling = {
		place: 'pictures',
		way: 'different',
		unit: 'Content-Location: $\r\nContent-ID: <$>\r\n',
	};
	return [pictures, htmlUse()];
}

const htmlUse = (): Filling => ({
	place: 'html',
	way: 'different',
	unit: '<img src=$><img src=cid:$>',
});

function named(structure: StructureName, what: string, fillings: Filling[]): Input {
	return { name: `${what}, ${fillings[0]?.way}, ${structure}`, structure, fillings };
}
