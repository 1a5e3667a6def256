import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Zones } from '../lib/dns/support/zoneResolver';
import { authenticate } from '../lib/proof/support/senders';

const KEYS: Zones = {
	'_dmarc.example.com': { TXT: ['v=DMARC1; p=none'] },
	'brisbane._domainkey.example.com': {
		TXT: [
			'v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB',
		],
	},
	'brisbane._domainkey.football.example.com': {
		TXT: ['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
	},
	'test._domainkey.football.example.com': {
		TXT: [
			'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB',
		],
	},
};

test.each([
	['rfc6376.eml', [{ domain: 'example.com', selector: 'brisbane' }]],
	['rfc8463.eml', [{ selector: 'brisbane' }, { selector: 'test' }]],
])('the signed email in %s passes', async (file, signatures) => {
	const rawEmail = readFileSync(join(__dirname, file), 'utf8').replace(/\r?\n/g, '\r\n');
	expect(await authenticate(rawEmail, KEYS)).toMatchObject({
		result: 'pass',
		domain: 'football.example.com',
		signatures: signatures.map((one) => ({ ...one, result: 'pass', aligned: true })),
	});
});
