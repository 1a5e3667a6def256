import { webhookUrlProblem } from '../../../../nodes/EmailIdentity/api/data/webhookUrl';

test.each([
	'https://example.com/hook',
	'https://n8n.example.co.uk:8443/webhook/1?token=x',
	'https://xn--bcher-kva.example/hook',
	'https://localhost.example.com/hook',
])('%s can be delivered to', (url) => {
	expect(webhookUrlProblem(url, false)).toBeUndefined();
});

test.each([
	['http://example.com/hook', /start with https/],
	['ftp://example.com/hook', /start with https/],
	['example.com/hook', /complete URL/],
	['', /complete URL/],
	['https://user:secret@example.com/', /user name or password/],
	['https://localhost/hook', /private network/],
	['https://LOCALHOST./hook', /private network/],
	['https://n8n/hook', /private network/],
	['https://n8n.default.svc.cluster.local/hook', /private network/],
	['https://n8n.CORP./hook', /private network/],
	['https://169.254.169.254/latest', /169\.254/],
])('%s is refused with the reason', (url, reason) => {
	expect(webhookUrlProblem(url, false)).toMatch(reason);
});

test('with private URLs allowed, only invalid URLs are refused', () => {
	expect(webhookUrlProblem('http://localhost:5678/webhook/1', true)).toBeUndefined();
	expect(webhookUrlProblem('https://10.0.0.1/', true)).toBeUndefined();
	expect(webhookUrlProblem('file:///etc/passwd', true)).toMatch(/https/);
	expect(webhookUrlProblem('https://user@host/', true)).toMatch(/user name/);
});

/** The first and the last addresses of ranges, their neighbours outside, and other spellings of 127.0.0.1. */
test.each([
	[
		'private or reserved',
		'0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255 169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 192.0.2.1 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.0 255.255.255.255 2130706433 0x7f000001 017700000001 127.1 [::ffff:7f00:1] [::] [::1] [::127.0.0.1] [::ffff:10.0.0.1] [64:ff9b::a00:1] 192.0.0.8 [64:ff9b:1::a00:1] [2002:a00:1::] [2001:db8::] [fc00::] [fdff:ffff::1] [fe80::1] [fec0::1] [ff02::1]',
		expect.any(String),
	],
	[
		'public',
		'1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 [::ffff:8.8.8.8] [64:ff9b::808:808] [2001:db7::1] [2001:db9::1] [2606:4700:4700::1111]',
		undefined,
	],
])('these addresses are %s', (_kind, hosts, problem) => {
	const judged = hosts
		.split(' ')
		.map((host) => [host, webhookUrlProblem(`https://${host}/`, false)] as const);
	expect(judged).toEqual(judged.map(([host]) => [host, problem]));
});
