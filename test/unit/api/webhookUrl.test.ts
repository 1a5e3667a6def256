import fc from 'fast-check';
import { webhookUrlProblem } from '../../../nodes/EmailIdentity/api/webhookUrl';

test.each([
	'https://example.com/hook',
	'https://n8n.example.co.uk:8443/webhook/1?token=x',
	'https://8.8.8.8/hook',
	'https://[2606:4700:4700::1111]/hook',
	'https://xn--bcher-kva.example/hook',
	'https://localhost.example.com/hook',
])('%s can be delivered to', (url) => {
	expect(webhookUrlProblem(url, false)).toBeUndefined();
});

test.each([
	['http://example.com/hook', /start with https/],
	['ftp://example.com/hook', /start with https/],
	['example.com/hook', /complete address/],
	['', /complete address/],
	['https://user:secret@example.com/', /user name or password/],
	['https://localhost/hook', /this machine/],
	['https://LOCALHOST./hook', /this machine/],
	['https://api.localhost/hook', /this machine/],
	['https://n8n/hook', /private network/],
	['https://printer.local/hook', /local network/],
	['https://db.internal/hook', /private network/],
	['https://n8n.localdomain/hook', /this machine/],
	['https://localhost.localdomain/hook', /this machine/],
	['https://n8n.lan/hook', /local network/],
	['https://n8n.home/hook', /home network/],
	['https://n8n.home.arpa/hook', /home network/],
	['https://n8n.corp/hook', /private network/],
	['https://n8n.CORP./hook', /private network/],
	['https://n8n.intranet/hook', /private network/],
	['https://n8n.private/hook', /private network/],
	['https://n8n.mail/hook', /private network/],
	['https://n8n.default.svc/hook', /cluster/],
	['https://n8n.default.svc.cluster.local/hook', /local network/],
	['https://[::127.0.0.1]/', /reserved/],
	['https://[::7f00:1]/', /reserved/],
	['https://[::8.8.8.8]/', /reserved/],
	['https://127.0.0.1/', /127\.0\.0\.1/],
	['https://127.1/', /127\.0\.0\.1/],
	['https://2130706433/', /127\.0\.0\.1/],
	['https://0x7f.0.0.1/', /127\.0\.0\.1/],
	['https://0177.0.0.1/', /127\.0\.0\.1/],
	['https://0.0.0.0/', /reserved/],
	['https://10.1.2.3/', /10\.1\.2\.3/],
	['https://172.31.255.1/', /private/],
	['https://192.168.1.1/', /private/],
	['https://169.254.169.254/latest', /169\.254/],
	['https://100.64.0.1/', /reserved/],
	['https://[::1]/', /::1/],
	['https://[::]/', /reserved/],
	['https://[fd00::1]/', /private/],
	['https://[fe80::1]/', /private/],
	['https://[::ffff:10.0.0.1]/', /private/],
	['https://[::ffff:7f00:1]/', /private/],
	['https://[64:ff9b::a00:1]/', /private/],
	['https://[2002:a00:1::]/', /private/],
])('%s is refused with the reason', (url, reason) => {
	expect(webhookUrlProblem(url, false)).toMatch(reason);
});

test('with private addresses allowed only what is no web address is refused', () => {
	expect(webhookUrlProblem('http://localhost:5678/webhook/1', true)).toBeUndefined();
	expect(webhookUrlProblem('https://10.0.0.1/', true)).toBeUndefined();
	expect(webhookUrlProblem('file:///etc/passwd', true)).toMatch(/https/);
	expect(webhookUrlProblem('https://user@host/', true)).toMatch(/user name/);
});

const privateAddress = fc.oneof(
	fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
	fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
	fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
	fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
	fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
);

test('a private address is refused in every spelling', () => {
	fc.assert(
		fc.property(privateAddress, ([a, b, c, d]) => {
			const number = ((a * 256 + b) * 256 + c) * 256 + d;
			const hex = number.toString(16).padStart(8, '0');
			const spellings = [
				`${a}.${b}.${c}.${d}`,
				String(number),
				`0x${hex}`,
				`0${number.toString(8)}`,
				`0x${a.toString(16)}.${b * 65536 + c * 256 + d}`,
				`[::ffff:${a}.${b}.${c}.${d}]`,
				`[::ffff:${hex.slice(0, 4)}:${hex.slice(4)}]`,
				`[64:ff9b::${hex.slice(0, 4)}:${hex.slice(4)}]`,
			];
			for (const host of spellings) {
				expect(webhookUrlProblem(`https://${host}/hook`, false)).toEqual(expect.any(String));
			}
		}),
	);
});

test('no text makes it throw', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.webUrl()), fc.boolean(), (text, allowPrivate) => {
			const problem = webhookUrlProblem(text, allowPrivate);
			expect(problem === undefined || problem.length > 0).toBe(true);
		}),
	);
});
