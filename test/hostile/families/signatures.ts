import { email, fill, type Family } from '../family';

const BODY = 'Hello';

const SIGNATURE = 'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=test';

/** Of a name that has a key; the hash is not the content's, so that all of it has to be read to tell. */
const signatureOf = (tags: string) => `${SIGNATURE}; h=From:Subject; bh=AAAA; ${tags}b=AAAA`;

/** Both ways to read a content. */
const BOTH = [signatureOf(''), signatureOf('').replace('relaxed/relaxed', 'simple/simple')];

const signed = (body: string) => ({ rawEmail: email(BOTH, body) });

const withHeader = (...headers: string[]) => ({ rawEmail: email(headers, BODY) });

const many = (size: number, signature: string) =>
	withHeader(fill(size, `${signature}\r\n`).trimEnd());

/** What costs those who check signatures; to others it is a header or a body. */
export const SIGNATURE_FAMILIES: Family[] = [
	{
		name: 'signatures: thousands',
		make: (size) => [
			many(size, signatureOf('')),
			many(size, signatureOf('').replace('example.com', 'attacker.example')),
			many(size, signatureOf(`x=${' '.repeat(4000)}1; `)),
			many(size, signatureOf(`${'; '.repeat(2000)}`)),
			many(size, signatureOf(`i="${'\\a'.repeat(2000)}@example.com; `)),
			many(size, signatureOf(`i=${'a.'.repeat(2000)}@example.com; `)),
			many(size, signatureOf(`z=${'=20'.repeat(1500)}; `)),
		],
	},
	{
		name: 'signatures: one huge',
		make: (size) => [
			withHeader(signatureOf(`z=${fill(size, 'x')}; `)),
			withHeader(signatureOf(`z=${fill(size, ' ')}; `)),
			withHeader(`${SIGNATURE}; h=${fill(size, 'From:')}; bh=AAAA; b=AAAA`),
			withHeader(signatureOf(fill(size, (index) => `x${index}=1; `))),
		],
	},
	{
		name: 'signatures: of very many fields',
		make: (size) => {
			const names = Array.from({ length: 190 }, (_, index) => `absent${index}`).join(':');
			const covering = `${SIGNATURE}; h=From:X:${names}; bh=AAAA; b=AAAA`;
			return [
				withHeader(covering, fill(size, 'X: y\r\n').trimEnd()),
				withHeader(covering, 'X: y', fill(size, 'no field\r\n').trimEnd()),
				withHeader(covering, `X: ${fill(size, 'y  ')}`),
				withHeader(covering, `X:${fill(size, '\r\n y')}`),
				withHeader(...Array<string>(8).fill(covering), `X: ${fill(size, 'y ')}`),
			];
		},
	},
	{
		name: 'signatures: of contents that have to be rewritten',
		make: (size) => [
			signed(fill(size, 'a\t\r\n')),
			signed(fill(size, 'a \n')),
			signed(fill(size, '\r\n')),
			signed(fill(size, '\n')),
			signed(fill(size, '\r')),
			signed(fill(size, 'a  ')),
			signed(fill(size, '\t')),
		],
	},
	{
		name: 'signatures: reports of servers',
		make: (size) => [
			withHeader(`Authentication-Results: mx.example.test; ${fill(size, '(')}`),
			withHeader(`Authentication-Results: mx.example.test; ${fill(size, 'dkim=pass; ')}`),
			withHeader(
				fill(size, 'Received: from x ((( by mx.example.test\r\n').trimEnd(),
				'Authentication-Results: mx.example.test; dmarc=pass',
			),
		],
	},
];
