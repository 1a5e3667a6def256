import { toRawText } from '../../../../../lib/email';
import type { Zones } from '../../dns/support/zoneResolver';
import {
	above,
	BODY,
	EMAIL,
	emailOf,
	HEADER,
	KEY_NAME,
	keyAt,
	keyRecord,
	KEYS,
	publicKey,
	SECONDS,
	signed,
	ZONES,
	type SignOptions,
} from './senders';

/** An email, what the DNS says of its sender, and the result. */
export interface Attack {
	name: string;
	rawEmail: string;
	result: 'fail' | 'none' | 'pass' | 'unknown';
	/** What the reason contains. */
	reason?: RegExp;
	/** The domain of From. */
	domain: string | null;
	zones: Zones;
}

/** Long enough for the genuine emails here. */
export const HEADER_LIMITS = { headerCharacters: 15_000, headerLines: 200 };

/** The only mail server that is trusted, as a user may write it. */
export const TRUSTED = { trustedServers: ['MX.example.test '] };

const SIMPLE = { canonicalization: 'simple/simple' } as const;

/** As somebody signs who has a domain of his own, in the name of another. */
const attacker = (email = EMAIL, options: SignOptions = {}) =>
	signed(email, { domain: 'attacker.example', key: KEYS.other, ...options });

const withFrom = (...lines: string[]) =>
	emailOf([...lines, ...HEADER.filter((field) => !field.startsWith('From'))]);

type Result = Attack['result'];
type More = Partial<Pick<Attack, 'domain' | 'reason' | 'zones'>>;

const attack = (what: string, rawEmail: string, result: Result = 'fail', more: More = {}) => ({
	name: what.replace(/\s+/g, ' ').replace(/\p{C}/gu, '?'),
	rawEmail,
	result,
	domain: 'example.com',
	zones: ZONES,
	...more,
});

const NO_DOMAIN = { domain: null };

/** Expects each reason if there is one, and that the email passes otherwise. */
const attacks = <What>(
	rows: Array<[name: string, what: What, reason?: RegExp]>,
	prefix: string,
	toAttack: (what: What) => { raw: string; zones?: Zones },
) =>
	rows.map(([name, what, reason]) => {
		const { raw, zones = ZONES } = toAttack(what);
		return attack(`${prefix} ${name}`, raw, reason ? 'fail' : 'pass', { reason, zones });
	});

/** What is signed with the key of example.com is that of example.com: these show that the rest decides. */
const ADDED = [
	'From: Eve <eve@attacker.example>',
	'From: Ada <ada@example.com>',
	'Subject: Please pay 900',
	'Date: Sat, 21 Nov 2027 09:00:00 +0000',
	'Content-Type: text/html',
	'To: Eve <eve@attacker.example>',
	'Message-ID: <other@attacker.example>',
	'Subject : Please pay 900',
	'SUBJECT: Please pay 900',
	'Subject:\r\n Please pay 900',
].flatMap((line) => {
	const more = line.startsWith('From') ? NO_DOMAIN : {};
	return [
		attack(`${line}, above`, above(line, signed()), 'fail', more),
		attack(`${line}, above a simple signature`, above(line, signed(EMAIL, SIMPLE)), 'fail', more),
	];
});

const forbidding = signed(EMAIL, { fields: ['From', 'From', 'To', 'Subject', 'Subject', 'Date'] });
const twice = emailOf([...HEADER, 'To: Accounts <accounts@example.test>']);
const bothSigned = signed(twice, { fields: ['From', 'To', 'To', 'Subject'] });
const withoutSubject = signed(EMAIL, { fields: ['From', 'To'] });
const changed = signed().replace('100 to Ada', '900 to Ada');
const harmless = above('Received: from a by b; Sat', 'X-Subject: x', signed());
const size = Buffer.byteLength(BODY);
const part = (options: SignOptions) =>
	signed(EMAIL, { ...options, length: size, tags: { l: String(size) } });
const signatureAlone = signed().slice(0, -EMAIL.length);

const CHANGED = [
	attack('another From, forbidden', above('From: e@example.com', forbidding), 'fail', NO_DOMAIN),
	attack('another Subject where a second is forbidden', above('Subject: Pay 900', forbidding)),
	attack('no other, where a second is forbidden', forbidding, 'pass'),
	attack('two of a field, both signed', bothSigned, 'pass'),
	attack('two of a field, one signed', signed(twice)),
	attack('a subject that nobody signed', withoutSubject, 'fail', { reason: /subject/ }),
	attack('a Received and a subject that is none, above', harmless, 'pass'),
	attack('a length (l=)', part({}), 'pass'),
	attack('text below a length (l=)', `${part({})}Pay Eve.\r\n`),
	attack('text below a length, simple', `${part(SIMPLE)}Pay Eve.\r\n`),
	...[-1, 1].flatMap((more) =>
		[{}, SIMPLE].map((how) =>
			attack(
				`the hash of the whole content, with a length (l=) that differs by ${more}`,
				signed(EMAIL, { ...how, tags: { l: String(size + more) } }),
			),
		),
	),
	attack('a length of nothing', signed(EMAIL, { length: 0, tags: { l: '0' } })),
	attack('a letter of the content', changed, 'fail', { reason: /content/ }),
	attack('the signature of another email', signatureAlone + emailOf(HEADER, 'Pay Eve.\r\n')),
];

/** Changes that relaxed signatures allow; simple ones only the last. */
const CANONICAL: Array<[string, string, string]> = [
	['blanks at the ends of lines', 'Ada.\r\n', 'Ada. \t \r\n'],
	['more blanks between words', 'Please pay 100 to', 'Please \t pay 100 to'],
	['a fold', 'Subject: Please pay', 'Subject: Please\r\n\tpay'],
	['a field’s name in other letters', 'Subject: ', 'SUBJECT : '],
	['blank lines at the end', '\r\nAda\r\n', '\r\nAda\r\n\r\n\r\n'],
];

const OTHER_TEXT: Array<[string, string, string]> = [
	['a line of its own', 'pay 100 to', 'pay\r\n100 to'],
	['words that run together', 'pay 100 to', 'pay100 to'],
	['a bare return between words', 'pay 100 to', 'pay\r100 to'],
	['a form feed for a blank', 'pay 100 to', 'pay\f100 to'],
	['a no-break space for a blank', 'pay 100 to', 'pay\u00a0100 to'],
	['a blank line more in between', '\r\n\r\nAda', '\r\n\r\n\r\nAda'],
	['a line before the text', '\r\n\r\nPlease', '\r\n\r\nPay!\r\nPlease'],
	['a form feed in a field', 'Please pay 100\r\n', 'Please\fpay 100\r\n'],
	['a no-break space in a field', 'Please pay 100\r\n', 'Please\u00a0pay 100\r\n'],
];

/** Then nobody knows what was signed. */
const OTHER_HEADER: Array<[string, string, string]> = [
	['a bare return in a field', 'Please pay 100\r\n', 'Please\rpay 100\r\n'],
	['a return at the end of a field', 'Please pay 100\r\n', 'Please pay 100\r\r\n'],
	['a zero byte in a field', 'Please pay', 'Please\0 pay'],
	['a line that is no field', 'Please pay 100\r\n', 'Please pay 100\r\nand 900 more\r\n'],
];

const REPLACED = [
	...CANONICAL.flatMap(([name, from, to], index) => {
		const simple = signed(EMAIL, SIMPLE).replace(from, to);
		return [
			attack(`relaxed: ${name}`, signed().replace(from, to), 'pass'),
			attack(`simple: ${name}`, simple, index === 4 ? 'pass' : 'fail'),
		];
	}),
	...OTHER_TEXT.map(([name, from, to]) => attack(name, signed().replace(from, to))),
	...OTHER_HEADER.map(([name, from, to]) =>
		attack(name, signed().replace(from, to), 'fail', NO_DOMAIN),
	),
	attack('the header’s end moved up', signed().replace('Subject: ', '\r\nSubject: ')),
];

const NOBODY = [
	['From: ada@example.com', 'From: eve@attacker.example'],
	['From: ada@example.com, eve@attacker.example'],
	['From: ada@example.com, ada@example.com'],
	['From: Staff: ada@example.com;'],
	['From: undisclosed-recipients:;'],
	['From: ada@example.com <eve@attacker.example>'],
	['From: <eve@attacker.example> ada@example.com'],
	['From: <ada@example.com> <eve@attacker.example>'],
	['From: <ada@example.com<eve@attacker.example>>'],
	['From: <@example.com:eve@attacker.example>'],
	['From: ada(@attacker.example)@example.com'],
	['From: <ada(x)@example.com>'],
	['From: "ada@example.com"@attacker.example'],
	['From: ada@example.com@attacker.example'],
	['From: ada@example.com .attacker.example'],
	['From: =?utf-8?q?ada=40example=2Ecom?='],
	['From: <=?utf-8?q?ada?=@example.com>'],
	['From: "Ada <ada@example.com>'],
	['From: Ada (<ada@example.com>'],
	['From: ada@[192.0.2.1]'],
	['From: ada@example.com; eve@attacker.example'],
	['From: Ada'],
	['From:'],
	[],
	['From: ada@example.com\rSubject: x'],
	['From: ada\0@example.com'],
	['From: Ada\u2028 <ada@example.com>'],
	[`From: ${'Ada '.repeat(1000)}<ada@example.com>`],
	['From: ada@exam\u00adple.com'],
	['From: ada@ｅxample.com'],
	['From: ada@example。com'],
	['From: ada@example.com.'],
	['From: ada@\u202emoc.elpmaxe'],
].flatMap((lines) => {
	const name = `${lines.join(' + ').slice(0, 60)}: nobody`;
	const email = withFrom(...lines);
	return [signed(email), attacker(email)].map((raw) => attack(name, raw, 'fail', NO_DOMAIN));
});

const SOMEBODY = [
	'Ada <ada@example.com>',
	'ada@example.com',
	'<ada@example.com>',
	'"Ada, of Sales" <ada@example.com>',
	'"eve@attacker.example" <ada@example.com>',
	'"<eve@attacker.example>" <ada@example.com>',
	'=?utf-8?q?eve=40attacker=2Eexample=2C_=3Ceve=40attacker=2Eexample=3E?= <ada@example.com>',
	'ada@example.com (eve@attacker.example)',
	'Ada (eve@attacker.example) <ada@example.com>',
	'"Ada \\" \\\\" <ada@example.com>',
	'Ada\r\n <ada@example.com>',
	"Ada O'Neil <ada.o'neil+x@EXAMPLE.com>",
].flatMap((from) => [
	attack(`From: ${from}`, signed(withFrom(`From: ${from}`)), 'pass'),
	attack(`From: ${from}, signed by another`, attacker(withFrom(`From: ${from}`))),
]);

const LOOKALIKE = 'xn--exmple-4nf.com';
const lookalike = withFrom('From: Ada <ada@ex\u0430mple.com>');

const endless = above(`DKIM-Signature: ${'v=1; '.repeat(2000)}`, signed());
const arc = above(
	'ARC-Seal: i=1; a=rsa-sha256; cv=none; d=example.com; s=test; b=AAAA',
	'ARC-Authentication-Results: i=1; mx.example.test; dmarc=pass header.from=example.com',
	signed().replace('DKIM-Signature: v=1;', 'ARC-Message-Signature: i=1;'),
);
const ed25519 = signed(EMAIL, { key: KEYS.ed25519 });

/** Who signs: the domain of From, the signer, and whether it has a key of its own. */
const SIGNERS = [
	attack('another domain', attacker(), 'fail', { reason: /not by the domain in From/ }),
	...[
		...['example.com.attacker.example', 'notexample.com', 'com', 'xexample.com', 'example.co'].map(
			(domain) => ['example.com', domain],
		),
		['victim.co.uk', 'co.uk'],
		['co.uk', 'victim.co.uk'],
		// Anyone may have a name below it, and so the name of a key.
		['github.io', 'github.io'],
		['victim.co.uk', 'attacker.co.uk'],
		['victim.github.io', 'attacker.github.io'],
		['victim.github.io', 'github.io'],
	].map(([from = '', domain = '']) => {
		const zones = { ...ZONES, ...keyAt(`test._domainkey.${domain}`, KEYS.other) };
		const raw = attacker(withFrom(`From: ada@${from}`), { domain });
		return attack(`${from}, signed by ${domain}`, raw, 'fail', { domain: from, zones });
	}),
	attack(
		'co.uk, a registry, by itself',
		attacker(withFrom('From: ada@co.uk'), { domain: 'co.uk' }),
		'pass',
		{
			domain: 'co.uk',
		},
	),
	attack('with another key in the name of the domain', signed(EMAIL, { key: KEYS.other })),
	attack('a domain that looks like another', signed(lookalike), 'fail', { domain: LOOKALIKE }),
	attack('a domain in other letters', signed(lookalike, { domain: LOOKALIKE }), 'pass', {
		domain: LOOKALIKE,
		zones: keyAt(`test._domainkey.${LOOKALIKE}`, KEYS.rsa),
	}),
	attack('unsigned', EMAIL, 'none'),
	attack('with a signature without an end, above', endless, 'pass'),
	attack('ARC alone', arc, 'none'),
	attack('Ed25519', ed25519, 'pass', { zones: keyAt(KEY_NAME, KEYS.ed25519) }),
];

const STANDARD = /follow the standard/;
const within = (labels: number) => `@${'x'.repeat(60).concat('.').repeat(labels)}example.com`;

const TAGS = attacks<SignOptions>(
	[
		['does not cover From', { fields: ['To', 'Subject'] }, /From/],
		['covers a field that is called nearly so', { fields: ['X-From', 'Subject'] }, /From/],
		['covers nothing', { tags: { h: '' } }, /./],
		['has expired', { tags: { t: `${SECONDS - 100}`, x: `${SECONDS - 1}` } }, /expired/],
		['expires before it is made', { tags: { t: `${SECONDS - 5}`, x: `${SECONDS - 9}` } }, /./],
		['is dated in the future', { tags: { t: `${SECONDS + 86_400}` } }, /future/],
		['has a time that is none', { tags: { t: 'tomorrow' } }, STANDARD],
		['has an end that is none', { tags: { x: 'never' } }, STANDARD],
		['has an end of sixteen digits', { tags: { x: '9999999999999999' } }, STANDARD],
		['uses SHA-1', { tags: { a: 'rsa-sha1' } }, /SHA-1/],
		['names an algorithm that is none', { tags: { a: 'rsa-md5' } }, STANDARD],
		['is of another version', { tags: { v: '2' } }, STANDARD],
		['has no version', { tags: { v: undefined } }, STANDARD],
		['asks elsewhere than the DNS', { tags: { q: 'http/get' } }, STANDARD],
		['signs for another domain (i=)', { tags: { i: 'ada@attacker.example' } }, /i=/],
		['signs for a domain above (i=)', { tags: { i: '@com' } }, /./],
		['signs for a domain without @ (i=)', { tags: { i: 'example.com' } }, STANDARD],
		['signs for a domain longer than any (i=)', { tags: { i: within(100) } }, /i=/],
		['has a length that is none', { tags: { l: '-1' } }, STANDARD],
		['has a canonicalization that is none', { tags: { c: 'nofws/nofws' } }, STANDARD],
		['has no hash of the content', { tags: { bh: undefined } }, /./],
		['has a domain in other letters', { tags: { d: 'b\u00fccher.example' } }, /./],
		['names its domain twice', { write: (tags) => `${tags}; d=attacker.example` }, STANDARD],
		['names its fields twice', { write: (tags) => `${tags}; h=From` }, STANDARD],
		['names an end twice', { write: (tags) => `x=1; ${tags}; x=9999999999` }, STANDARD],
		['has an empty tag', { write: (tags) => `${tags};` }, STANDARD],
		['has a tag without a value', { write: (tags) => `${tags}; l` }, STANDARD],
		['has its domain in capitals as a tag', { write: (tags) => tags.replace('d=', 'D=') }, /./],
		['covers hundreds', { fields: ['From', 'Subject', ...Array<string>(200).fill('X')] }],
		['expires later', { tags: { t: `${SECONDS - 10}`, x: `${SECONDS + 10}` } }],
		['is made a little later, by another clock', { tags: { t: `${SECONDS + 30}` } }],
		['signs for somebody of the domain', { tags: { i: 'ada@example.com' } }],
		['signs for a subdomain', { tags: { i: '@sales.example.com' } }],
		['signs for a long address (i=)', { tags: { i: within(3) } }],
		['has tags that nobody knows', { tags: { darn: 'e\u0301', z: 'From:ada(x)|b=3D"' } }],
		['is asked of the DNS', { tags: { q: 'dns/txt' } }],
		['has its domain in capitals', { tags: { d: 'EXAMPLE.com' } }],
		['is folded', { write: (tags) => tags.replaceAll('; ', ';\r\n\t') }],
	],
	'a signature that',
	(options) => ({ raw: signed(EMAIL, options) }),
);

const SPOILED = ['', '!!!!', 'AAAA', '='.repeat(100), 'A'.repeat(5000)].map((value) =>
	attack(`a signature of ${value.slice(0, 5)}`, signed().replace(/; b=[^\r]*/, `; b=${value}`)),
);

const key = publicKey(KEYS.rsa);
const RECORDS = attacks<string[]>(
	[
		['was revoked', ['v=DKIM1; k=rsa; p='], /revoked/],
		['is being tested', [keyRecord(KEYS.rsa, 't=y; ')], /tested/],
		['is being tested, and more', [keyRecord(KEYS.rsa, 't=s:y; ')], /tested/],
		['is for SHA-1 only', [keyRecord(KEYS.rsa, 'h=sha1; ')], /another purpose/],
		['is for something else than email', [keyRecord(KEYS.rsa, 's=tlsrpt; ')], /another purpose/],
		['is of another version', [`v=DKIM2; p=${key}`], /read/],
		['is of another kind', [`v=DKIM1; k=ed25519; p=${key}`], /./],
		['is of two kinds', [`v=DKIM1; k=rsa:foo; p=${key}`], /read/],
		['is no key', ['v=DKIM1; k=rsa; p=AAAA'], /read/],
		['is no base64', [`v=DKIM1; p=${key.replace('A', '*')}`], /read/],
		['names its key twice', [`v=DKIM1; p=${publicKey(KEYS.other)}; p=${key}`], /read/],
		['is something else', ['v=spf1 -all'], /read/],
		['is one of two', [keyRecord(KEYS.rsa), keyRecord(KEYS.other)], /read/],
		['has a very long note', [keyRecord(KEYS.rsa, `n=${'x'.repeat(8000)}; `)], /read/],
		['is not there', [], /DNS/],
		['is restricted to what is used', [keyRecord(KEYS.rsa, 'h=sha256; s=email; ')]],
		['has a note', [keyRecord(KEYS.rsa, "n=Bob's key (old); ")]],
		['is for the domain itself only (t=s)', [keyRecord(KEYS.rsa, 't=s; ')]],
		['stands beside other texts', ['v=spf1 -all', keyRecord(KEYS.rsa)]],
	],
	'a key that',
	(TXT) => ({ raw: signed(), zones: { ...ZONES, [KEY_NAME]: { TXT } } }),
);

const ofSubdomain = signed(EMAIL, { tags: { i: '@sales.example.com' } });

const SPECIAL_KEYS = [
	attack('a key below 1024 bits', signed(EMAIL, { key: KEYS.short }), 'fail', {
		reason: /1024/,
		zones: keyAt(KEY_NAME, KEYS.short),
	}),
	attack('a subdomain, with a key for the domain itself (t=s)', ofSubdomain, 'fail', {
		zones: { [KEY_NAME]: { TXT: [keyRecord(KEYS.rsa, 't=s; ')] } },
	}),
];

const results = (said: string, server = 'mx.example.test') =>
	`Authentication-Results: ${server};\r\n\t${said}`;
const PASSED = results('dmarc=pass (p=REJECT) header.from=example.com');
const RECEIVED =
	'Received: from mail.example.com (mail.example.com [192.0.2.1]) by mx.example.test (Postfix) with ESMTPS id 1; Sat, 21 Nov 2026 10:00:00 +0000';
const COMMENTED =
	'Authentication-Results: (x) mx.example.test (amavisd-new; x) 1 (y);\r\n\tdmarc=pass';
const MULTIPART = emailOf(
	[...HEADER.slice(0, -1), 'Content-Type: multipart/mixed; boundary=b'],
	'Pay Eve.\r\n--b\r\n\r\nPlease pay 100.\r\n--b--\r\n',
);
const EVE = 'From: eve@attacker.example';
const broken = signed().replace('100 to Ada', '100 to\r\nAda');

/** In Shift_JIS, the backslash is part of a letter, so that the quoted name ends before the first address. */
const TWO_FROMS = emailOf([
	'From: "\x95\\" <ada@example.com> " <eve@attacker.example>',
	'Subject: Please pay 900',
	'Content-Type: text/plain; charset=shift_jis',
]);

const REPORTED = [
	attack(
		'a trusted report about a From that shows another address in its charset',
		above(
			results('dmarc=pass header.from=attacker.example'),
			attacker(toRawText(Buffer.from(TWO_FROMS, 'latin1')), {
				fields: ['From', 'Subject', 'Content-Type'],
			}),
		),
		'fail',
		{ domain: 'attacker.example', reason: /^From/ },
	),
	attack('a trusted report', above(PASSED, EMAIL), 'pass'),
	attack('a trusted report with comments and a version', above(COMMENTED, EMAIL), 'pass'),
	attack('a trusted report above its server', above(PASSED, RECEIVED, EMAIL), 'pass'),
	attack('a trusted report below its server', above(RECEIVED, PASSED, EMAIL), 'pass'),
	attack('a trusted report above a broken signature', above(PASSED, RECEIVED, broken), 'pass'),
	...[
		['text below a length (l=)', `${part({})}Pay Eve.\r\n`],
		['a subject that nobody signed', withoutSubject.replace('pay 100', 'pay 900')],
		['an unreadable signature', above(`DKIM-Signature: v=1;${' '.repeat(200)}`, broken)],
		[
			'a malformed signature',
			signed(broken, { tags: { d: 'example.com', q: '' }, write: (tags) => `${tags};;` }),
		],
		[
			'more signatures than are read',
			[1, 2, 3, 4, 5, 6].reduce((raw) => signed(raw, { selector: 'gone' }), broken),
		],
		['another one without Subject', signed(broken, { fields: ['From'] })],
	].map(([what = '', raw = '']) =>
		attack(`a trusted report about ${what}`, above(PASSED, raw), 'fail'),
	),
	attack(
		'a trusted report about an unsigned email with text above its parts',
		above(PASSED, MULTIPART),
		'pass',
	),
	attack(
		'a trusted report about a signed email with text above its parts',
		above(PASSED, signed(MULTIPART).replace('Pay Eve', 'Please pay Eve')),
		'fail',
		{ reason: /Content-Type/ },
	),
	attack('a trusted report about two Froms', above(PASSED, EVE, EMAIL), 'none', NO_DOMAIN),
	attack('a trusted report about two Subjects', above(PASSED, 'Subject: 900', EMAIL), 'none'),
	...[
		[results('dmarc=fail header.from=example.com'), PASSED],
		[results('dmarc=fail', 'mx.other.test'), PASSED],
		[RECEIVED, 'Received: from x by y.attacker.example; Sat', PASSED],
		// The greeting, the part behind `for`, and brackets and quotes in both are the client's.
		['Received: from x (a (b) by mx.example.test ) by y.attacker.example', PASSED],
		['Received: from x ( by mx.example.test ', PASSED],
		['Received: from x by mx.example.test (unknown [192.0.2.9]) by y.test (Postfix)', PASSED],
		['Received: from x by mx.example.test ( (unknown [192.0.2.9]) by y.test (Postfix)', PASSED],
		['Received: from x by mx.example.test ( ([192.0.2.9]) by y.test for <a)@example.test>', PASSED],
		['Received: from x by mx.example.test " ([192.0.2.9]) by y.test for <"@example.test>', PASSED],
		['Received: from x) by mx.example.test (Postfix)', PASSED],
		['Received: from "x by mx.example.test (Postfix)', PASSED],
		['Received: nonsense', PASSED],
		['Received: from x (by mx.example.test) by y.attacker.example', PASSED],
		[results('dmarc=pass', 'mx.example.test.attacker.example')],
		[results('dmarc=pass', 'attacker.example (mx.example.test)')],
		[results('dmarc=pass', 'example.test')],
		['Authentication-Results: attacker.example; mx.example.test; dmarc=pass'],
		['Authentication-Results: dmarc=pass header.from=example.com'],
		['Authentication-Results: x=y; mx.example.test; dmarc=pass'],
		['Authentication-Results: dmarc=pass; mx.example.test'],
		['Authentication-Results: ; mx.example.test; dmarc=pass'],
		['Authentication-Results: mx\\.example.test; dmarc=pass'],
		['Authentication-Results: mx.(x)example.test; dmarc=pass'],
		['Authentication-Results: "mx.example.test; dmarc=pass"; dmarc=pass'],
		['Authentication-Results: mx.example.test (; dmarc=pass'],
		['Authentication-Results: mx.example.test dmarc=pass; dmarc=pass'],
		[results(`x=${'y'.repeat(8000)}; dmarc=pass`)],
	].map((lines) =>
		attack(`forged: ${lines.join(' + ').slice(0, 90)}`, above(...lines, EMAIL), 'none'),
	),
	...(
		[
			['dmarc=pass', 'pass'],
			['dmarc=pass header.from=ada@example.com', 'pass'],
			['dkim=pass header.d=example.com', 'pass'],
			['dkim=pass header.i=@mail.example.com header.s=x', 'pass'],
			['dkim=fail header.d=example.com; dkim=pass header.d=example.com', 'pass'],
			['DMARC=Pass header.from=example.com', 'pass'],
			['dmarc=pass header.from=attacker.example', 'none'],
			['dmarc=pass Header.From=attacker.example', 'none'],
			['dkim=pass header.d=attacker.example', 'none'],
			['dkim=pass', 'none'],
			['dkim=fail header.d=example.com', 'none'],
			['spf=pass smtp.mailfrom=example.com', 'none'],
			['arc=pass header.d=example.com', 'none'],
			['dmarc=fail (dmarc=pass) header.from=example.com', 'none'],
			['dmarc="fail; dmarc=pass"', 'none'],
			['x=y (comment; dmarc=pass)', 'none'],
			['dmarc=passed', 'none'],
			['none', 'none'],
		] as const
	).map(([said, result]) => attack(`reported: ${said}`, above(results(said), EMAIL), result)),
];

/** An email beyond the bounds is not checked, and not let through. */
const LONG = [
	['a long header', above(`X-Long: ${'x'.repeat(HEADER_LIMITS.headerCharacters)}`, signed())],
	['many lines', above('X: y\r\n'.repeat(HEADER_LIMITS.headerLines).trimEnd(), signed())],
].map(([name = '', raw = '']) => attack(name, raw, 'unknown', { ...NO_DOMAIN, reason: /long/ }));

const utf8 = emailOf(
	HEADER.map((field) => field.replace('100', 'à 100 €')),
	'Grüße à 😀\r\n',
);
const lost = (email: string) => signed(email).replace('Grüße', 'Gr\ufffd\ufffde');

/** Hashed in pieces. */
const LONG_BODY = `${'word  \t\r\n'.repeat(9000)}${'\r\n'.repeat(90_000)}${'\t word\r'.repeat(2000)}\r\n`;

/** As JSON brings it. */
const DELIVERED = [
	...[{}, SIMPLE].flatMap((options) => [
		attack('line ends are LF', signed(EMAIL, options).replaceAll('\r\n', '\n'), 'pass'),
		attack('the last line end is missing', signed(EMAIL, options).trimEnd(), 'pass'),
	]),
	...['\ufeff', '\r\n\r\n', ' '].map((before) =>
		attack(`${JSON.stringify(before)} stands before it`, before + signed(), 'fail', NO_DOMAIN),
	),
	attack('UTF-8 in header and content', signed(utf8), 'pass'),
	...[{}, SIMPLE].map((options) =>
		attack('a long content', signed(emailOf(HEADER, LONG_BODY), options), 'pass'),
	),
	attack('long lines', signed(emailOf(HEADER, `${'word  '.repeat(20_000)}\r\nx\r\n\r\n`)), 'pass'),
	attack('what looks lost, but was written so', signed(emailOf(HEADER, 'a \ufffd\r\n')), 'pass'),
	...[
		['content', emailOf(HEADER, 'Grüße\r\n')],
		['subject', EMAIL.replace('Please pay 100\r', 'Grüße\r')],
	].map(([where = '', email = '']) =>
		attack(`lost characters in the ${where}`, lost(email), 'unknown', { reason: /lost/ }),
	),
	attack('lost characters that nobody signed', above('X-Name: \ufffd', changed)),
	attack('nothing', '', 'unknown', NO_DOMAIN),
	attack('blank lines alone', '\r\n \r\n', 'unknown', NO_DOMAIN),
];

export const ATTACKS: Attack[] = [
	...ADDED,
	...CHANGED,
	...REPLACED,
	...NOBODY,
	...SOMEBODY,
	...SIGNERS,
	...TAGS,
	...SPOILED,
	...RECORDS,
	...SPECIAL_KEYS,
	...REPORTED,
	...LONG,
	...DELIVERED,
];
