import type { Zones } from '../zoneResolver';
import { createZoneResolver } from '../zoneResolver';
import type { SignOptions } from './handSigner';
import {
	authenticate,
	BODY,
	check,
	EMAIL,
	emailOf,
	HEADER,
	keyAt,
	keyRecord,
	KEYS,
	publicKey,
	SECONDS,
	signed,
	ZONES,
} from './senders';

const KEY_NAME = 'test._domainkey.example.com';

/** As somebody signs who has a domain of his own, in the name of another. */
const attacker = (email = EMAIL, options: Partial<SignOptions> = {}) =>
	signed(email, { domain: 'attacker.example', key: KEYS.other, ...options });

const withFrom = (...lines: string[]) =>
	emailOf([...lines, ...HEADER.filter((field) => !field.startsWith('From'))]);

const above = (line: string, rawEmail: string) => `${line}\r\n${rawEmail}`;

/** What is signed with the key of example.com is that of example.com: these show that the rest decides. */
describe('what an attacker adds to an email that was signed', () => {
	test.each([
		['another From above', 'From: Eve <eve@attacker.example>'],
		['the same From again', 'From: Ada <ada@example.com>'],
		['another Subject above', 'Subject: Please pay 900'],
		['another Date above', 'Date: Sat, 21 Nov 2027 09:00:00 +0000'],
		['another Content-Type above', 'Content-Type: text/html'],
		['another To above', 'To: Eve <eve@attacker.example>'],
		['another Message-ID above', 'Message-ID: <other@attacker.example>'],
		['a Subject whose name has a blank before its colon', 'Subject : Please pay 900'],
		['a Subject in other letters', 'SUBJECT: Please pay 900'],
		['a Subject that goes on in the next line', 'Subject:\r\n Please pay 900'],
	])('%s: not proved', async (_name, line) => {
		for (const canonicalization of ['simple/simple', 'relaxed/relaxed'] as const) {
			const rawEmail = above(line, signed(EMAIL, { canonicalization }));
			expect(await authenticate(rawEmail)).toMatchObject({ result: 'fail' });
		}
	});

	test('another From or Subject, where the signer forbade a second: not proved', async () => {
		const fields = ['From', 'From', 'To', 'Subject', 'Subject', 'Date'];
		const rawEmail = signed(EMAIL, { fields });
		expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass' });
		expect(await authenticate(above('From: Eve <eve@example.com>', rawEmail))).toMatchObject({
			result: 'fail',
		});
		expect(await authenticate(above('Subject: Please pay 900', rawEmail))).toMatchObject({
			result: 'fail',
		});
	});

	test('two of a field that were both signed count', async () => {
		const twice = emailOf([...HEADER, 'To: Accounts <accounts@example.test>']);
		const rawEmail = signed(twice, { fields: ['From', 'To', 'To', 'Subject'] });
		expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass' });
		expect(await authenticate(signed(twice))).toMatchObject({ result: 'fail' });
	});

	test('a subject that nobody signed: not proved', async () => {
		expect(await authenticate(signed(EMAIL, { fields: ['From', 'To'] }))).toMatchObject({
			result: 'fail',
			reason: expect.stringContaining('subject'),
		});
	});

	test('what servers add on the way, and a subject of theirs that is none, changes nothing', async () => {
		const trace = 'Received: from a by b; Sat, 21 Nov 2026 10:00:00 +0000\r\nX-Subject: x';
		expect(await authenticate(above(trace, signed()))).toMatchObject({ result: 'pass' });
	});

	test.each(['simple/simple', 'relaxed/relaxed'] as const)(
		'text below, with the length of what was signed (l=, %s): not proved',
		async (canonicalization) => {
			const body = Buffer.byteLength(BODY);
			const part = signed(EMAIL, { canonicalization, length: body, tags: { l: String(body) } });
			expect(await authenticate(part)).toMatchObject({ result: 'pass' });
			expect(await authenticate(`${part}Please pay 900 to Eve.\r\n`)).toMatchObject({
				result: 'fail',
				reason: expect.stringContaining('l='),
			});
			const nothing = signed(EMAIL, { canonicalization, length: 0, tags: { l: '0' } });
			expect(await authenticate(nothing)).toMatchObject({ result: 'fail' });
		},
	);

	test('one letter of the content or of a signed field: not proved', async () => {
		expect(await authenticate(signed().replace('100 to Ada', '900 to Ada'))).toMatchObject({
			result: 'fail',
			reason: expect.stringContaining('content'),
		});
		expect(await authenticate(signed().replace('pay 100\r\n', 'pay 900\r\n'))).toMatchObject({
			result: 'fail',
			reason: expect.stringContaining('header'),
		});
	});

	test('a signature that was taken from another email: not proved', async () => {
		const [signature = ''] = signed().split('From:', 1);
		const other = emailOf(HEADER, 'Please pay 900 to Eve.\r\n');
		expect(await authenticate(signature + other)).toMatchObject({ result: 'fail' });
	});
});

describe('canonicalization', () => {
	test.each([
		['blanks at the ends of lines', (raw: string) => raw.replace('Ada.\r\n', 'Ada. \t \r\n')],
		[
			'more blanks between words',
			(raw: string) => raw.replace('Please pay 100 to', 'Please \t pay 100 to'),
		],
		['blank lines at the end', (raw: string) => `${raw}\r\n\r\n`],
		[
			'a field that is folded',
			(raw: string) => raw.replace('Subject: Please pay', 'Subject: Please\r\n\tpay'),
		],
		['a field’s name in other letters', (raw: string) => raw.replace('Subject: ', 'SUBJECT : ')],
	])('relaxed lets servers change %s, simple but the last lines nothing', async (name, change) => {
		const isOfBothKinds = name === 'blank lines at the end';
		expect(await authenticate(change(signed()))).toMatchObject({ result: 'pass' });
		const simple = change(signed(EMAIL, { canonicalization: 'simple/simple' }));
		expect(await authenticate(simple)).toMatchObject({ result: isOfBothKinds ? 'pass' : 'fail' });
	});

	test.each([
		['a line of its own', (raw: string) => raw.replace('pay 100 to', 'pay\r\n100 to')],
		['words that run together', (raw: string) => raw.replace('pay 100 to', 'pay100 to')],
		['a bare return between words', (raw: string) => raw.replace('pay 100 to', 'pay\r100 to')],
		['a form feed for a blank', (raw: string) => raw.replace('pay 100 to', 'pay\f100 to')],
		['a no-break space for a blank', (raw: string) => raw.replace('pay 100 to', 'pay\u00a0100 to')],
		[
			'a blank line more in between',
			(raw: string) => raw.replace('\r\n\r\nAda', '\r\n\r\n\r\nAda'),
		],
		[
			'a line before the text',
			(raw: string) => raw.replace('\r\n\r\nPlease', '\r\n\r\nPay!\r\nPlease'),
		],
		[
			'a bare return in a field',
			(raw: string) => raw.replace('Please pay 100\r\n', 'Please\rpay 100\r\n'),
		],
		[
			'a form feed in a field',
			(raw: string) => raw.replace('Please pay 100\r\n', 'Please\fpay 100\r\n'),
		],
		[
			'a no-break space in a field',
			(raw: string) => raw.replace('Please pay 100\r\n', 'Please\u00a0pay 100\r\n'),
		],
		['a zero byte in a field', (raw: string) => raw.replace('Please pay', 'Please\0 pay')],
		[
			'a line below a signed field that is none',
			(raw: string) => raw.replace('Please pay 100\r\n', 'Please pay 100\r\nand 900 more\r\n'),
		],
		['the header’s end moved up', (raw: string) => raw.replace('Subject: ', '\r\nSubject: ')],
	])('%s is a change', async (_name, change) => {
		expect(change(signed())).not.toBe(signed());
		expect(await authenticate(change(signed()))).toMatchObject({ result: 'fail' });
	});
});

describe('whom From names', () => {
	test.each([
		['two Froms', ['From: ada@example.com', 'From: eve@attacker.example']],
		['several addresses', ['From: ada@example.com, eve@attacker.example']],
		['the same address twice', ['From: ada@example.com, ada@example.com']],
		['a group', ['From: Staff: ada@example.com;']],
		['an empty group', ['From: undisclosed-recipients:;']],
		['an address before the one in brackets', ['From: ada@example.com <eve@attacker.example>']],
		['an address after the one in brackets', ['From: <eve@attacker.example> ada@example.com']],
		['two in brackets', ['From: <ada@example.com> <eve@attacker.example>']],
		['brackets within brackets', ['From: <ada@example.com<eve@attacker.example>>']],
		['a route', ['From: <@example.com:eve@attacker.example>']],
		['a comment within an address', ['From: ada(@attacker.example)@example.com']],
		['a comment within brackets', ['From: <ada(x)@example.com>']],
		['a quoted mailbox', ['From: "ada@example.com"@attacker.example']],
		['two at signs', ['From: ada@example.com@attacker.example']],
		['a blank in the domain', ['From: ada@example.com .attacker.example']],
		['an encoded word as an address', ['From: =?utf-8?q?ada=40example=2Ecom?=']],
		['an encoded word within an address', ['From: <=?utf-8?q?ada?=@example.com>']],
		['a quoted string without an end', ['From: "Ada <ada@example.com>']],
		['a comment without an end', ['From: Ada (<ada@example.com>']],
		['an address literal', ['From: ada@[192.0.2.1]']],
		['a semicolon', ['From: ada@example.com; eve@attacker.example']],
		['nobody', ['From: Ada']],
		['nothing', ['From:']],
		['no From', []],
		['a bare return', ['From: ada@example.com\rSubject: x']],
		['a zero byte', ['From: ada\0@example.com']],
		['a line separator', ['From: Ada\u2028 <ada@example.com>']],
		['a name without an end', [`From: ${'Ada '.repeat(1000)}<ada@example.com>`]],
		['a soft hyphen in the domain', ['From: ada@exam\u00adple.com']],
		['wide letters in the domain', ['From: ada@ｅxample.com']],
		['an ideographic full stop', ['From: ada@example。com']],
		['a dot at the end', ['From: ada@example.com.']],
		['a direction mark', ['From: ada@\u202emoc.elpmaxe']],
	])('%s: nobody, so nobody is proved', async (_name, from) => {
		for (const rawEmail of [signed(withFrom(...from)), attacker(withFrom(...from))]) {
			expect(await authenticate(rawEmail)).toMatchObject({ result: 'fail', domain: null });
		}
	});

	test.each([
		['Ada <ada@example.com>'],
		['ada@example.com'],
		['<ada@example.com>'],
		['"Ada, of Sales" <ada@example.com>'],
		['"eve@attacker.example" <ada@example.com>'],
		['"<eve@attacker.example>" <ada@example.com>'],
		['=?utf-8?q?eve=40attacker=2Eexample=2C_=3Ceve=40attacker=2Eexample=3E?= <ada@example.com>'],
		['ada@example.com (eve@attacker.example)'],
		['Ada (eve@attacker.example) <ada@example.com>'],
		['"Ada \\" \\\\" <ada@example.com>'],
		['Ada\r\n <ada@example.com>'],
		["Ada O'Neil <ada.o'neil+x@EXAMPLE.com>"],
	])('%s is example.com, whatever the name says', async (from) => {
		const email = withFrom(`From: ${from}`);
		expect(await authenticate(signed(email))).toMatchObject({
			result: 'pass',
			domain: 'example.com',
		});
		expect(await authenticate(attacker(email))).toMatchObject({ result: 'fail' });
	});

	test('a domain in other letters is shown in ASCII, and is not the one that looks like it', async () => {
		const email = withFrom('From: Ada <ada@ex\u0430mple.com>');
		expect(await authenticate(signed(email))).toMatchObject({
			result: 'fail',
			domain: 'xn--exmple-4nf.com',
		});
		const zones = { ...ZONES, ...keyAt('test._domainkey.xn--exmple-4nf.com', KEYS.other) };
		const own = signed(email, { domain: 'xn--exmple-4nf.com', key: KEYS.other });
		expect(await authenticate(own, zones)).toMatchObject({
			result: 'pass',
			domain: 'xn--exmple-4nf.com',
		});
	});
});

describe('who signs', () => {
	test('another domain proves nothing', async () => {
		expect(await authenticate(attacker())).toMatchObject({
			result: 'fail',
			reason: 'The email is signed, but not by the domain in From.',
			signatures: [{ domain: 'attacker.example', result: 'pass', aligned: false }],
		});
	});

	test.each([
		'example.com.attacker.example',
		'notexample.com',
		'com',
		'xexample.com',
		'example.co',
	])('nor does %s', async (domain) => {
		const zones = { ...ZONES, ...keyAt(`test._domainkey.${domain}`, KEYS.other) };
		expect(await authenticate(attacker(EMAIL, { domain }), zones)).toMatchObject({
			result: 'fail',
		});
	});

	test.each([
		['co.uk', 'ada@victim.co.uk', 'co.uk'],
		['co.uk', 'ada@co.uk', 'co.uk'],
		['a neighbour below co.uk', 'ada@victim.co.uk', 'attacker.co.uk'],
		['a neighbour below github.io', 'ada@victim.github.io', 'attacker.github.io'],
		['github.io', 'ada@victim.github.io', 'github.io'],
	])('a public suffix is nobody’s: %s', async (_name, address, domain) => {
		const zones = { ...ZONES, ...keyAt(`test._domainkey.${domain}`, KEYS.other) };
		const email = withFrom(`From: ${address}`);
		expect(await authenticate(attacker(email, { domain }), zones)).toMatchObject({
			result: 'fail',
			signatures: [{ aligned: false }],
		});
	});

	test('somebody else in the name of the domain: not proved', async () => {
		expect(await authenticate(signed(EMAIL, { key: KEYS.other }))).toMatchObject({
			result: 'fail',
		});
	});

	test('ARC alone proves nothing', async () => {
		const asArc = signed()
			.replace('DKIM-Signature: v=1;', 'ARC-Message-Signature: i=1;')
			.replace('; b=', '; b=');
		const seals = [
			'ARC-Seal: i=1; a=rsa-sha256; cv=none; d=example.com; s=test; b=AAAA',
			'ARC-Authentication-Results: i=1; mx.example.test; dmarc=pass header.from=example.com',
		].join('\r\n');
		expect(
			await authenticate(above(seals, asArc), ZONES, { trustedServers: ['mx.example.test'] }),
		).toMatchObject({ result: 'none', reported: null });
	});
});

describe('what a signature says', () => {
	const rejected: Array<[string, Partial<SignOptions>, RegExp]> = [
		['does not cover From', { fields: ['To', 'Subject'] }, /From/],
		['covers a field that is called nearly so', { fields: ['X-From', 'Subject'] }, /From/],
		['covers nothing', { tags: { h: '' } }, /./],
		['has expired', { tags: { t: String(SECONDS - 100), x: String(SECONDS - 1) } }, /expired/],
		[
			'expires before it is made',
			{ tags: { t: String(SECONDS - 5), x: String(SECONDS - 9) } },
			/./,
		],
		['is dated in the future', { tags: { t: String(SECONDS + 86_400) } }, /future/],
		['has a time that is none', { tags: { t: 'tomorrow' } }, /follow the standard/],
		['has an end that is none', { tags: { x: 'never' } }, /follow the standard/],
		['has an end of sixteen digits', { tags: { x: '9999999999999999' } }, /follow the standard/],
		['uses SHA-1', { tags: { a: 'rsa-sha1' } }, /SHA-1/],
		['names an algorithm that is none', { tags: { a: 'rsa-md5' } }, /follow the standard/],
		['is of another version', { tags: { v: '2' } }, /follow the standard/],
		['has no version', { tags: { v: undefined } }, /follow the standard/],
		['asks elsewhere than the DNS', { tags: { q: 'http/get' } }, /follow the standard/],
		['signs for another domain (i=)', { tags: { i: 'ada@attacker.example' } }, /i=/],
		['signs for a domain above (i=)', { tags: { i: '@com' } }, /./],
		['has a length that is none', { tags: { l: '-1' } }, /follow the standard/],
		['has a canonicalization that is none', { tags: { c: 'nofws/nofws' } }, /follow the standard/],
		['has no hash of the content', { tags: { bh: undefined } }, /./],
		[
			'names its domain twice',
			{ write: (tags) => `d=attacker.example; ${tags}` },
			/follow the standard/,
		],
		['names its fields twice', { write: (tags) => `${tags}; h=From` }, /follow the standard/],
		[
			'names an end twice',
			{ write: (tags) => `x=1; ${tags}; x=9999999999` },
			/follow the standard/,
		],
		['has an empty tag', { write: (tags) => `${tags};` }, /follow the standard/],
		['has a tag without a value', { write: (tags) => `${tags}; l` }, /follow the standard/],
		['has its domain in capitals as a tag', { write: (tags) => tags.replace('d=', 'D=') }, /./],
	];

	test.each(rejected)('%s: not proved', async (_name, options, reason) => {
		expect(await authenticate(signed(EMAIL, options))).toMatchObject({
			result: 'fail',
			reason: expect.stringMatching(reason),
		});
	});

	test.each<[string, Partial<SignOptions>]>([
		['expires later', { tags: { t: String(SECONDS - 10), x: String(SECONDS + 10) } }],
		['is made a little later, by another clock', { tags: { t: String(SECONDS + 30) } }],
		['signs for somebody of the domain', { tags: { i: 'ada@example.com' } }],
		['signs for a subdomain', { tags: { i: '@sales.example.com' } }],
		['has tags that nobody knows', { tags: { darn: 'x', z: 'From:ada(x)|b=3D"' } }],
		['is asked of the DNS', { tags: { q: 'dns/txt' } }],
		['has its domain in capitals', { tags: { d: 'EXAMPLE.com' } }],
		['is folded', { write: (tags) => tags.replaceAll('; ', ';\r\n\t') }],
	])('%s: proved', async (_name, options) => {
		expect(await authenticate(signed(EMAIL, options))).toMatchObject({ result: 'pass' });
	});

	test('base64 that is none, or of another signature: not proved', async () => {
		for (const value of ['', '!!!!', 'AAAA', '='.repeat(100), 'A'.repeat(5000)]) {
			const rawEmail = signed().replace(/; b=[^\r]*/, `; b=${value}`);
			expect(await authenticate(rawEmail)).toMatchObject({ result: 'fail' });
		}
	});
});

describe('what the key says', () => {
	const key = publicKey(KEYS.rsa);
	const withRecords = (...TXT: string[]): Zones => ({ ...ZONES, [KEY_NAME]: { TXT } });

	test.each<[string, string[], RegExp]>([
		['was revoked', ['v=DKIM1; k=rsa; p='], /revoked/],
		['is being tested', [keyRecord(KEYS.rsa, 't=y; ')], /tested/],
		['is being tested, and more', [keyRecord(KEYS.rsa, 't=s:y; ')], /tested/],
		['is for SHA-1 only', [keyRecord(KEYS.rsa, 'h=sha1; ')], /another purpose/],
		['is for something else than email', [keyRecord(KEYS.rsa, 's=tlsrpt; ')], /another purpose/],
		['is of another version', [`v=DKIM2; p=${key}`], /read/],
		['is of another kind', [`v=DKIM1; k=ed25519; p=${key}`], /./],
		['is no key', ['v=DKIM1; k=rsa; p=AAAA'], /read/],
		['is no base64', ['v=DKIM1; k=rsa; p=!!!'], /read/],
		['names its key twice', [`v=DKIM1; p=${publicKey(KEYS.other)}; p=${key}`], /read/],
		['is something else', ['v=spf1 -all'], /read/],
		['is one of two', [keyRecord(KEYS.rsa), keyRecord(KEYS.other)], /read/],
		['is too short', [keyRecord(KEYS.short)], /./],
		['goes on for megabytes', [`${keyRecord(KEYS.rsa)}; n=${'x'.repeat(3_000_000)}`], /read/],
		['is one of very many', Array.from({ length: 10_000 }, () => keyRecord(KEYS.rsa)), /read/],
	])('it %s: not proved', async (_name, records, reason) => {
		expect(await authenticate(signed(), withRecords(...records))).toMatchObject({
			result: 'fail',
			reason: expect.stringMatching(reason),
		});
	});

	test('RSA below 1024 bits: not proved, though signed with that key', async () => {
		const rawEmail = signed(EMAIL, { key: KEYS.short });
		expect(await authenticate(rawEmail, withRecords(keyRecord(KEYS.short)))).toMatchObject({
			result: 'fail',
			reason: expect.stringContaining('1024'),
		});
	});

	test('it is for the domain itself only (t=s): a subdomain is not proved', async () => {
		const zones = withRecords(keyRecord(KEYS.rsa, 't=s; '));
		expect(await authenticate(signed(), zones)).toMatchObject({ result: 'pass' });
		const ofSubdomain = signed(EMAIL, { tags: { i: '@sales.example.com' } });
		expect(await authenticate(ofSubdomain, zones)).toMatchObject({ result: 'fail' });
	});

	test('it is not there: not proved', async () => {
		for (const zones of [{}, { [KEY_NAME]: { MX: [] } }] as Zones[]) {
			expect(await check(signed(), zones)).toMatchObject({
				authentication: { result: 'fail', reason: expect.stringContaining('DNS') },
				retryable: false,
			});
		}
	});

	test.each([
		['restricted to what is used', [keyRecord(KEYS.rsa, 'h=sha256; s=email; ')]],
		['with a note', [keyRecord(KEYS.rsa, "n=Bob's key (old); ")]],
		['without a version', [`p=${key}`]],
		['beside what a wildcard left there', ['v=spf1 -all', keyRecord(KEYS.rsa)]],
	])('%s: proved', async (_name, records) => {
		expect(await authenticate(signed(), withRecords(...records))).toMatchObject({ result: 'pass' });
	});
});

describe('many signatures', () => {
	const junk = (count: number, domain: string) =>
		Array.from(
			{ length: count },
			(_, index) =>
				`DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s${index}; h=From; bh=AAAA; b=AAAA`,
		).join('\r\n');

	test('of others do not push out the good one, and cost few questions', async () => {
		const resolver = createZoneResolver(ZONES);
		const rawEmail = above(junk(150, 'attacker.example'), signed());
		const { authentication } = await check(rawEmail, ZONES, { resolver });
		expect(authentication.result).toBe('pass');
		expect(authentication.signatures[0]).toMatchObject({ domain: 'example.com', result: 'pass' });
		expect(authentication.signatures.length).toBeLessThanOrEqual(8);
		expect(resolver.asked.length).toBeLessThanOrEqual(6);
	});

	test('in the name of the domain cost few questions', async () => {
		const resolver = createZoneResolver(ZONES);
		const { authentication } = await check(above(junk(1000, 'example.com'), EMAIL), ZONES, {
			resolver,
		});
		expect(authentication.result).toBe('fail');
		expect(resolver.asked.length).toBeLessThanOrEqual(7);
	});

	test('one that is good is enough', async () => {
		const rawEmail = above(junk(3, 'example.com'), attacker(signed()));
		expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass' });
	});

	test('others get their turn between them, and what they cover is bounded', async () => {
		const resolver = createZoneResolver(ZONES);
		const options = (fields: string[]) => ({ fields, key: KEYS.rsa });
		const withField = (length: number) => {
			const email = emailOf([...HEADER, `X-Long: ${'x '.repeat(length / 2)}`]);
			const fields = ['From', 'Subject', 'X-Long'];
			return [1, 2, 3, 4, 5].reduce((raw) => signed(raw, options(fields)), email);
		};
		let pauses = 0;
		const pause = async () => void (await Promise.resolve(pauses++));
		const long = await check(withField(150_000), ZONES, { resolver, pause });
		expect(long.authentication.result).toBe('pass');
		expect(pauses).toBeGreaterThanOrEqual(5);
		expect(await authenticate(withField(450_000))).toMatchObject({
			result: 'fail',
			signatures: [{ result: 'fail' }, {}, {}, {}, {}],
		});
	});

	test('one that is endless is not looked at', async () => {
		const endless = `DKIM-Signature: ${'v=1; '.repeat(20_000)}`;
		expect(await authenticate(above(endless, signed()))).toMatchObject({ result: 'pass' });
		const covering = signed(EMAIL, { fields: ['From', ...Array<string>(2000).fill('X')] });
		expect(await authenticate(covering)).toMatchObject({ result: 'fail' });
	});
});

describe('an email beyond the bounds is not checked, and not let through', () => {
	test.each([
		['a header of a megabyte', above(`X-Long: ${'x'.repeat(1_000_000)}`, signed())],
		['a header of very many lines', above('X: y\r\n'.repeat(30_000).trimEnd(), signed())],
		['a line of two megabytes', signed(emailOf(HEADER, 'x'.repeat(2_000_000)))],
	])('%s', async (_name, rawEmail) => {
		expect(await check(rawEmail)).toMatchObject({
			authentication: { result: 'unknown', reason: expect.stringContaining('long') },
			retryable: false,
		});
	});
});

test('nothing of an email is in a reason', async () => {
	const secret = 'geheim';
	const emails = [
		signed(emailOf([`X: ${secret}`, ...HEADER], secret), { selector: 'gone' }),
		signed(withFrom(`From: ${secret}, ${secret}@example.com`)),
		signed(EMAIL, { tags: { q: secret, i: `${secret}@x.example` } }),
		signed(EMAIL, { write: (tags) => `${tags}; ${secret}` }),
		above(`DKIM-Signature: ${secret}=${secret}`, EMAIL),
	];
	for (const rawEmail of emails) {
		const { reason, signatures } = await authenticate(rawEmail);
		expect(reason).not.toBeNull();
		expect(JSON.stringify([reason, signatures.map((one) => one.reason)])).not.toContain(secret);
	}
});

describe('who signed for the domain (i=)', () => {
	const within = (labels: number) => `@${'x'.repeat(60).concat('.').repeat(labels)}example.com`;

	test('may be named by a long address', async () => {
		const rawEmail = signed(EMAIL, { tags: { i: within(3) } });
		expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass' });
	});

	test('by none that is longer than addresses are: its domain would cost the square of that', async () => {
		const rawEmail = signed(EMAIL, { tags: { i: within(100) } });
		expect(await authenticate(rawEmail)).toMatchObject({
			result: 'fail',
			reason: expect.stringContaining('follow the standard'),
		});
	});
});
