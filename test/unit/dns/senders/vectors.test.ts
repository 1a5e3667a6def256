import type { Zones } from '../zoneResolver';
import { authenticate } from './senders';

const BODY = ['Hi.', '', 'We lost the game. Are you hungry yet?', '', 'Joe.', ''];

const HEADER = [
	'From: Joe SixPack <joe@football.example.com>',
	'To: Suzie Q <suzie@shopping.example.net>',
	'Subject: Is dinner ready?',
	'Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)',
	'Message-ID: <20030712040037.46341.5F8J@football.example.com>',
];

const lines = (...written: string[]) => written.join('\r\n');

const RFC_6376 = lines(
	'DKIM-Signature: v=1; a=rsa-sha256; s=brisbane; d=example.com;',
	'      c=simple/simple; q=dns/txt; i=joe@football.example.com;',
	'      h=Received : From : To : Subject : Date : Message-ID;',
	'      bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;',
	'      b=AuUoFEfDxTDkHlLXSZEpZj79LICEps6eda7W3deTVFOk4yAUoqOB',
	'      4nujc7YopdG5dWLSdNg6xNAZpOPr+kHxt1IrE+NahM6L/LbvaHut',
	'      KVdkLLkpVaVVQPzeRDI009SO2Il5Lu7rDNH6mZckBdrIx0orEtZV',
	'      4bmp/YzhwvcubU4=;',
	'Received: from client1.football.example.com  [192.0.2.1]',
	'      by submitserver.example.com with SUBMISSION;',
	'      Fri, 11 Jul 2003 21:01:54 -0700 (PDT)',
	...HEADER,
	'',
	...BODY,
);

const RFC_8463 = lines(
	'DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;',
	' d=football.example.com; i=@football.example.com;',
	' q=dns/txt; s=brisbane; t=1528637909; h=from : to :',
	' subject : date : message-id : from : subject : date;',
	' bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;',
	' b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus',
	' Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==',
	'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;',
	' d=football.example.com; i=@football.example.com;',
	' q=dns/txt; s=test; t=1528637909; h=from : to : subject :',
	' date : message-id : from : subject : date;',
	' bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;',
	' b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3',
	' DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz',
	' dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=',
	...HEADER,
	'',
	...BODY,
);

const KEYS: Zones = {
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

test('the signed email of RFC 6376, appendix A.2, with the key of A.3', async () => {
	expect(await authenticate(RFC_6376, KEYS)).toMatchObject({
		result: 'pass',
		domain: 'football.example.com',
		signatures: [{ domain: 'example.com', selector: 'brisbane', result: 'pass', aligned: true }],
	});
});

test('the signed email of RFC 8463, appendix A.3, with both keys of A.2', async () => {
	expect(await authenticate(RFC_8463, KEYS)).toMatchObject({
		result: 'pass',
		signatures: [
			{ selector: 'brisbane', result: 'pass', aligned: true },
			{ selector: 'test', result: 'pass', aligned: true },
		],
	});
});
