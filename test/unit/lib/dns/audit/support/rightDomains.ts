import { generateKeyPairSync } from 'node:crypto';

import type { Identity } from '../../../../../../nodes/EmailIdentity/api/data/resources';
import type { Zones } from '../../support/zoneResolver';

/** A domain as a provider wants it, and a DNS in which all of that is right. */
export interface RightDomain {
	provider: string;
	identity: Pick<Identity, 'dnsRecords' | 'incomingDomain' | 'value'>;
	zones: Zones;
}

/** The text of a DKIM key record, with a key of so many bits. */
export function rsaKey(bits = 2048): string {
	const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
	return `v=DKIM1; k=rsa; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`;
}

const KEYS = [rsaKey(), rsaKey(1024), rsaKey()] as const;

export const DMARC = 'v=DMARC1; p=quarantine; np=reject; rua=mailto:dmarc@example.com';

const mx = (exchange: string, preference = 10) => `${preference} ${exchange}`;

const cname = (name: string, value: string) => ({ type: 'CNAME', name, value });
const mxRecord = (value: string) => ({ type: 'MX', value, priority: '10', note: 'receiving' });
const txt = (name: string, value: string) => ({ type: 'TXT', name, value });

/** Amazon SES, whose envelope sender is in a domain of its own; the DMARC policy is recommended, and stronger here. */
const ses: RightDomain = {
	provider: 'Amazon SES',
	identity: {
		value: 'example.com',
		incomingDomain: true,
		dnsRecords: [
			...['t1', 't2', 't3'].map((token) =>
				cname(`${token}._domainkey.example.com`, `${token}.dkim.amazonses.com`),
			),
			{ ...mxRecord('10 feedback-smtp.eu-west-1.amazonses.com'), name: 'bounce.example.com' },
			txt('bounce.example.com', 'v=spf1 include:amazonses.com -all'),
			txt('_dmarc.example.com', 'v=DMARC1; p=none;'),
			{ type: 'MX', name: 'example.com', value: '10 inbound-smtp.eu-west-1.amazonaws.com' },
		],
	},
	zones: {
		'example.com': {
			MX: [mx('inbound-smtp.eu-west-1.amazonaws.com')],
			TXT: ['google-site-verification=1', 'v=spf1 ip4:192.0.2.1 -all'],
		},
		'_dmarc.example.com': { TXT: [DMARC] },
		'bounce.example.com': {
			MX: [mx('feedback-smtp.eu-west-1.amazonses.com')],
			TXT: ['v=spf1 include:amazonses.com -all'],
		},
		...Object.fromEntries(
			['t1', 't2', 't3'].flatMap((token, index) => [
				[`${token}._domainkey.example.com`, { CNAME: [`${token}.dkim.amazonses.com`] }],
				[`${token}.dkim.amazonses.com`, { TXT: [KEYS[index]!] }],
			]),
		),
		'amazonses.com': { TXT: ['v=spf1 ip4:199.255.192.0/22 -all'] },
	},
};

/** SendGrid, which only wants aliases and does not say where mail is received. */
const sendGrid: RightDomain = {
	provider: 'SendGrid',
	identity: {
		value: 'example.com',
		incomingDomain: false,
		dnsRecords: [
			cname('em1.example.com', 'u1.wl.sendgrid.net'),
			cname('s1._domainkey.example.com', 's1.domainkey.u1.wl.sendgrid.net'),
			cname('s2._domainkey.example.com', 's2.domainkey.u1.wl.sendgrid.net.'),
		],
	},
	zones: {
		'example.com': { TXT: ['v=spf1 mx ~all'], MX: [mx('mail.example.com')] },
		'mail.example.com': { A: ['192.0.2.1'] },
		'_dmarc.example.com': { TXT: [DMARC] },
		'em1.example.com': { CNAME: ['u1.wl.sendgrid.net'] },
		'u1.wl.sendgrid.net': { TXT: ['v=spf1 ip4:192.0.2.2 -all'], MX: [mx('mx.sendgrid.net')] },
		's1._domainkey.example.com': { CNAME: ['s1.domainkey.u1.wl.sendgrid.net'] },
		's2._domainkey.example.com': { CNAME: ['s2.domainkey.u1.wl.sendgrid.net'] },
		's1.domainkey.u1.wl.sendgrid.net': { TXT: [KEYS[0]] },
		's2.domainkey.u1.wl.sendgrid.net': { TXT: [KEYS[1]] },
	},
};

/** Mailgun for a subdomain, whose DMARC policy is that of the domain above; its MX records have no name. */
const mailgun: RightDomain = {
	provider: 'Mailgun',
	identity: {
		value: 'MG.Example.com',
		incomingDomain: true,
		dnsRecords: [
			txt('mg.example.com', 'v=spf1 include:mailgun.org ~all'),
			txt('pic._domainkey.mg.example.com', KEYS[0]),
			cname('email.mg.example.com', 'mailgun.org'),
			mxRecord('mxa.mailgun.org'),
			mxRecord('mxb.mailgun.org'),
		],
	},
	zones: {
		'mg.example.com': {
			TXT: ['v=spf1 include:mailgun.org include:_spf.other.example ~all'],
			MX: [mx('mxa.mailgun.org'), mx('mxb.mailgun.org', 20)],
		},
		'pic._domainkey.mg.example.com': { TXT: [KEYS[0]] },
		'email.mg.example.com': { CNAME: ['mailgun.org'] },
		'_dmarc.example.com': { TXT: [DMARC] },
		'mailgun.org': { TXT: ['v=spf1 ip4:192.0.2.3 ~all'] },
		'_spf.other.example': { TXT: ['v=spf1 ip6:2001:db8::/32 -all'] },
	},
};

/** Postmark, which goes on listing a key that was revoked; names without the domain, the key in the quotes of a zone file. */
const postmark: RightDomain = {
	provider: 'Postmark',
	identity: {
		value: 'example.com',
		incomingDomain: true,
		dnsRecords: [
			{ type: 'MX', name: '@', value: 'inbound.postmarkapp.com', note: 'MX (for inbound email)' },
			txt('@', 'v=spf1 a mx include:spf.mtasv.net ~all'),
			txt('pm._domainkey', `"${KEYS[2].slice(0, 200)}" "${KEYS[2].slice(200)}"`),
			{ ...txt('old._domainkey', 'k=rsa; p='), note: 'DKIM (revoked, safe to remove)' },
			cname('pm-bounces', 'pm.mtasv.net'),
		],
	},
	zones: {
		'example.com': {
			MX: [mx('inbound.postmarkapp.com', 0)],
			A: ['192.0.2.4'],
			TXT: ['v=spf1 a mx include:_spf.all.example -all'],
		},
		'_spf.all.example': { TXT: ['v=spf1 include:spf.mtasv.net -all'] },
		'spf.mtasv.net': { TXT: ['v=spf1 ip4:50.31.156.96/27 -all'] },
		'pm._domainkey.example.com': { TXT: [KEYS[2].replace('k=rsa; ', '')] },
		'pm-bounces.example.com': { CNAME: ['alias.example.net'] },
		'alias.example.net': { CNAME: ['pm.mtasv.net'] },
		'pm.mtasv.net': { MX: [mx('inbound.mtasv.net')] },
		'_dmarc.example.com': { CNAME: ['policy.example.net'] },
		'policy.example.net': { TXT: ['v=DMARC1;p=reject'] },
	},
};

/** As providers that people use want it, in the forms in which services were seen to list it. */
export const RIGHT_DOMAINS: readonly RightDomain[] = [ses, sendGrid, mailgun, postmark];
