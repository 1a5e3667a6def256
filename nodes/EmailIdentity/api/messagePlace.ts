import { isObject, parseJson } from './json';
import { readNamed, textOf } from './messageNames';
import type { Entry } from './types';

/** Where a message is in its mailbox, as far as the service tells. What it does not tell is empty. */
export interface MessagePlace {
	isDraft: boolean;
	/** The service's own word for it, in lower case. */
	state: string;
	/** Paths of folders, as the mail server names them. */
	folders: string[];
	/** IDs of labels, in capitals. */
	labels: string[];
}

/** Of one message. Gmail lets a user have ten thousand, and nobody gives one email a hundred. */
const MOST_LABELS = 1000;

/** Of JSON text. Known metadata have some hundred characters. */
const LONGEST_METADATA = 100_000;

/**
 * Where a message is: in `metaData.imap` for mail read by IMAP, in `metaData.gmail` for Gmail accounts, or in the message
 * itself. Never throws.
 */
export function readMessagePlace(message: Entry): MessagePlace {
	const told = readNamed(message, [
		'draft',
		'state',
		'metaData',
		'folder',
		'labels',
		'imap',
		'gmail',
	]);
	const metaData = readNamed(entryOf(told.metaData), ['imap', 'gmail', 'folder', 'labels']);
	const sources = [told, metaData, told.imap, told.gmail, metaData.imap, metaData.gmail]
		.map(entryOf)
		.map((source) => readNamed(source, ['folder', 'labels']));
	return {
		isDraft: told.draft === true || told.draft === 'true',
		state: textOf(told.state).toLowerCase(),
		folders: sources.map(({ folder }) => textOf(folder)).filter((folder) => folder !== ''),
		labels: sources.flatMap(({ labels }) =>
			(Array.isArray(labels) ? labels : [labels])
				.slice(0, MOST_LABELS)
				.map((label) => textOf(label).toUpperCase())
				.filter((label) => label !== ''),
		),
	};
}

/** An object, also as JSON text. */
function entryOf(value: unknown): Entry {
	const isJson = typeof value === 'string' && value.length <= LONGEST_METADATA;
	const entry = isJson ? parseJson(value)?.value : value;
	return isObject(entry) ? entry : {};
}
