import { around, email, familiesOf, fill } from '../support/family';
import type { Family, Hostile, Rows } from '../support/family';
import { signedByStranger } from '../support/strangersKey';

const SIGNATURE = 'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=test';

/** Of a domain that has a key; the hash is wrong, so that the whole content is read. */
const signatureOf = (tags: string) => `${SIGNATURE}; h=From:Subject; bh=AAAA; ${tags}b=AAAA`;

/** Both ways of canonicalization. */
const BOTH = [signatureOf(''), signatureOf('').replace('relaxed/relaxed', 'simple/simple')];

const NAMES = Array.from({ length: 190 }, (_, index) => `absent${index}`).join(':');
const COVERING = `${SIGNATURE}; h=From:X:${NAMES}; bh=AAAA; b=AAAA`;

const SERVER = 'Authentication-Results: mx.example.test;';

/** Headers that take time when signatures are checked. */
const HEADERS: Rows = [
	[
		'thousands',
		`${signatureOf('')}\r\n`,
		`${signatureOf('').replace('example.com', 'attacker.example')}\r\n`,
		`${signatureOf(`x=${' '.repeat(4000)}1; `)}\r\n`,
		`${signatureOf('; '.repeat(2000))}\r\n`,
		`${signatureOf(`i="${'\\a'.repeat(2000)}@example.com; `)}\r\n`,
		`${signatureOf(`i=${'a.'.repeat(2000)}@example.com; `)}\r\n`,
		`${signatureOf(`z=${'=20'.repeat(1500)}; `)}\r\n`,
	],
	[
		'one huge',
		(size) => signatureOf(`z=${fill(size, 'x')}; `),
		(size) => signatureOf(`z=${fill(size, ' ')}; `),
		(size) => `${SIGNATURE}; h=${fill(size, 'From:')}; bh=AAAA; b=AAAA`,
		(size) => signatureOf(fill(size, (index) => `x${index}=1; `)),
	],
	[
		'of very many fields',
		(size) => `${COVERING}\r\n${fill(size, 'X: y\r\n')}`,
		(size) => `${COVERING}\r\nX: y\r\n${fill(size, 'no field\r\n')}`,
		(size) => `${COVERING}\r\nX: ${fill(size, 'y  ')}`,
		(size) => `${COVERING}\r\nX:${fill(size, '\r\n y')}`,
		(size) => `${`${COVERING}\r\n`.repeat(8)}X: ${fill(size, 'y ')}`,
	],
	[
		'reports of servers',
		(size) => `${SERVER} ${fill(size, '(')}`,
		(size) => `${SERVER} ${fill(size, 'dkim=pass; ')}`,
		(size) => `${fill(size, 'Received: from x ((( by mx.example.test\r\n')}${SERVER} dmarc=pass`,
	],
];

const CONTENTS: Rows = [
	['of contents that are rewritten', 'a\t\r\n', 'a \n', '\r\n', '\n', '\r', 'a  ', '\t'],
];

const MULTIPART = 'Content-Type: multipart/mixed; boundary=b';

/** Signed and valid, so that they are read as well. */
const SIGNED: Rows = [
	['short lines in the header of a part', around('--b\r\n', 'X: y\r\n')],
	['folded lines in the header of a part', around('--b\r\nX: y', '\r\n z')],
	[
		'parameters',
		around('--b\r\nContent-Type: text/plain', '; a=b'),
		around('--b\r\nContent-Type: a', '\r\n ;b'),
	],
	['lines of text', 'a\r\n', 'a b c d e f g h i j k l m n o p q r s t u v w x y z\r\n'],
	['runs of blanks', 'a \t \r\n', ' \t', ' \r\n'],
	['delimiters', '--b\r\n', '--b\r\n\r\n', '--b \t b\r\n'],
	['one long line', 'a', 'a b', 'ä\t'],
	['parts', '--b\r\nContent-Type: text/plain\r\n\r\na\r\n'],
];

const signedEmails = (body: string): Hostile[] =>
	[[], [MULTIPART]].map((header) => ({ rawEmail: signedByStranger(email(header, body)) }));

export const SIGNATURE_FAMILIES: Family[] = [
	...familiesOf('signed emails', SIGNED, signedEmails),
	...familiesOf('signatures', HEADERS, (headers) => [
		{ rawEmail: email([headers.trimEnd()], 'Hello') },
	]),
	...familiesOf('signatures', CONTENTS, (content) => [{ rawEmail: email(BOTH, content) }]),
];
