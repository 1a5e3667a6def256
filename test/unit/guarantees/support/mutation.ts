import { createRandom, type Random } from '../../../support/random';

type Mutation = (email: string, other: string, random: Random) => string;

const SPECIAL = ['\r\n', '\r\n\r\n', '--', ...'\n\r\0\ufeff\u2028\ud800";=\\()<>:, '];

const HEADERS = [
	'Content-Type: multipart/mixed; boundary="x"',
	'Content-Type: multipart/mixed; boundary=',
	'Content-Type: message/rfc822',
	'Content-Type: text/plain; charset=utf-16',
	'Content-Transfer-Encoding: base64',
	'Content-Transfer-Encoding: quoted-printable',
	'Content-Disposition: attachment; filename="../x"',
	'Content-ID: <a>',
	'__proto__: x',
	'constructor: y',
];

const splice = (email: string, at: number, remove: number, insert: string) =>
	email.slice(0, at) + insert + email.slice(at + remove);

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T;

const lineStart = (email: string, random: Random) =>
	email.indexOf('\n', random(email.length + 1)) + 1;

/** The ways in which an email is spoiled; each takes another email of the corpus to mix in. */
const MUTATIONS: Mutation[] = [
	(email, _other, random) => email.slice(0, random(email.length + 1)),
	(email, _other, random) => email.slice(random(email.length + 1)),
	(email, _other, random) => splice(email, random(email.length + 1), random(60), ''),
	(email, _other, random) => splice(email, random(email.length + 1), 0, pick(SPECIAL, random)),
	(email, _other, random) =>
		splice(email, random(email.length + 1), 1, String.fromCharCode(random(0x3000))),
	(email, _other, random) =>
		splice(email, lineStart(email, random), 0, `${pick(HEADERS, random)}\r\n`),
	(email, other, random) =>
		splice(email, lineStart(email, random), random(500), other.slice(0, random(3000))),
	(email, other, random) =>
		email.slice(0, random(email.length + 1)) + other.slice(random(other.length + 1)),
	(email, _other, random) => {
		const start = lineStart(email, random);
		return splice(email, start, 0, email.slice(start, start + random(400)).repeat(1 + random(40)));
	},
	(email) => email.replace(/\r\n/g, '\n'),
	(email) => email.replace(/\n/g, '\r\n'),
	(email, _other, random) =>
		email.replaceAll('boundary', pick(['Boundary', 'boundary*', 'bound', 'boundary*0'], random)),
	(email, _other, random) =>
		email.replace(/base64|quoted-printable|7bit|8bit/g, () =>
			pick(['base64', 'quoted-printable', 'x-odd'], random),
		),
	(email, _other, random) =>
		email.replace(/utf-8/gi, pick(['utf-7', 'utf-16', 'x', '', '"'], random)),
];

/** Spoils an email one to four times. The same seed gives the same email. */
export function mutate(emails: readonly string[], seed: number): string {
	const random = createRandom(seed);
	let email = pick(emails, random);
	for (let times = 1 + random(4); times > 0; times--) {
		email = pick(MUTATIONS, random)(email, pick(emails, random), random);
	}
	return email;
}
