import { readShownUrl } from '../../../../nodes/EmailIdentity/trigger/subscription/shownUrl';

const ADDRESS = 'https://n8n.example/webhook/0a1b/webhook';
const SECRET = 'aB3_dE5-gH7iJ9kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD';
const DESIRED = `${ADDRESS}?token=${SECRET}`;

const withToken = (token: string) => `${ADDRESS}?token=${token}`;

it.each([
	['as given', DESIRED],
	['in another spelling', `HTTPS://N8N.example:443/webhook/0a1b/%77ebhook/?token=${SECRET}`],
	['with a secret in percent', withToken(SECRET.replace('_', '%5F').replace('-', '%2d'))],
	['with another parameter', `${ADDRESS}?by=service&token=${SECRET}`],
])('%s it is right', (_, shown) => {
	expect(readShownUrl(shown, DESIRED)).toBe('right');
});

it.each([
	null,
	'',
	withToken('***'),
	withToken('•••'),
	withToken(`${SECRET.slice(0, 4)}…`),
	withToken('aB3_...B7cD'),
	withToken(`aB3_${'x'.repeat(20)}`),
	withToken('aB3_XXXXXX'),
	withToken('00000000'),
	withToken('REDACTED'),
	withToken('[hidden]'),
	`${ADDRESS}?***`,
])('%s hides the secret', (shown) => {
	expect(readShownUrl(shown, DESIRED)).toBe('hidden');
});

it.each([
	ADDRESS,
	withToken(''),
	withToken(SECRET.toLowerCase()),
	withToken(SECRET.slice(0, 32)),
	withToken('one-letter-X-of-five-xxxxx-XXXXX-is-no-mask'),
	`${DESIRED}&token=${SECRET}`,
	`${ADDRESS}?by=service`,
])('%s has lost the secret', (shown) => {
	expect(readShownUrl(shown, DESIRED)).toBe('secretLost');
});

it.each([
	DESIRED.replace('n8n.', 'old.'),
	DESIRED.replace('0a1b', '0A1B'),
	DESIRED.replace('https', 'http'),
	'no URL',
])('%s leads elsewhere', (shown) => {
	expect(readShownUrl(shown, DESIRED)).toBe('elsewhere');
});
