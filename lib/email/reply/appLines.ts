import { anyOf, phrasesFor } from '../words/phrases';

/** A line that mail apps add, such as "sent from my … with …", in lower case, without the name of the app or device. */
interface AppLine {
	beginning: string;
	ending: string;
}

const APP_LINES: readonly AppLine[] = phrasesFor('appLines').map((line) => {
	const [beginning = '', ending = ''] = line.split('…');
	return { beginning, ending };
});

/** Names of products, the same in all languages. */
const BRANDS: readonly string[] = [
	'iphone',
	'ipad',
	'ipod',
	'ios',
	'mac',
	'macbook',
	'android',
	'galaxy',
	'samsung',
	'huawei',
	'xiaomi',
	'redmi',
	'pixel',
	'blackberry',
	'nokia',
	'windows',
	'outlook',
	'gmail',
	'yahoo',
	'mailbox',
	'mail app',
	'airmail',
	'k-9',
	'fairemail',
	'spark',
	'thunderbird',
	'gmx',
	'web.de',
	'aol',
	'zoho',
	'fastmail',
	'proton',
];

const DEVICES: readonly string[] = phrasesFor('devices');

const BEGINS_WITH_MY = new RegExp(`^${anyOf('my')}(?!\\p{L})`, 'u');

const MAX_APP_LINE = 200;
const MAX_APP_WORDS = 10;

const LINK = /[<([]\s*https?:\/\/[^\s<>()[\]]*\s*[>)\]]|https?:\/\/\S*$/g;

const EXCUSE = new RegExp(`\\.\\s+${anyOf('excuses')}\\b.*`);

const AROUND_WORDS = /[.。\s()[\]<>]+$|^[\s([<]+/g;

/** Whether a mail app added the line, such as "Sent from my iPhone". Other words at its end belong to a sentence. */
export function isAppLine(text: string): boolean {
	if (text.length > MAX_APP_LINE) return false;
	const sentence = text.replace(LINK, '').toLowerCase().replace(EXCUSE, '');
	const words = sentence.replace(AROUND_WORDS, '').replace(/[[\]]/g, '');
	if (words.split(' ').length > MAX_APP_WORDS || /[,:;!?]/.test(words)) return false;
	for (const { beginning, ending } of APP_LINES) {
		if (!words.startsWith(beginning) || !words.endsWith(ending)) continue;
		const name = words.slice(beginning.length, words.length - ending.length).trim();
		if (isProduct(name)) return true;
	}
	return false;
}

/** Whether a line has the link to the app, which no sentence of a person has at its end. */
export function linksToApp(text: string): boolean {
	return /https:\/\/aka\.ms\/\w+[)>\]]?$/.test(text);
}

/** Whether it is the name of an app or device. "By mail" alone is none. */
function isProduct(name: string): boolean {
	const words = name.replace(/[®™]/g, '').split(/ (?!\p{Nd}+$)/u);
	const last = words.at(-1) ?? '';
	if (containsAny(last, BRANDS)) return true;
	if (!containsAny(last, DEVICES) || /['’]/.test(name)) return false;
	return containsAny(name, BRANDS) || BEGINS_WITH_MY.test(name);
}

function containsAny(text: string, products: readonly string[]): boolean {
	return products.some((product) => text.includes(product));
}
