import type { Automatic } from '../../../nodes/EmailIdentity/email';

export interface MailSample {
	/** The program or service, and what it is. */
	what: string;
	is: Automatic | null;
	/** Its header as it arrives, with invented names. */
	header: string;
}

const replies: Record<string, string> = {
	'a hosting panel that says no more than that it answers': `
From: info@panel.example
Subject: Thank you
X-Autorespond: yes`,
	'Exchange Online: out of office': `
Received: from AM0PR04MB1234.eurprd04.prod.outlook.com (2603:10a6:208:1::1) by AM0PR04MB9999.eurprd04.prod.outlook.com with HTTPS
Return-Path: <>
From: Ada Byron <ada@example.com>
To: Support <support@example.org>
Subject: Automatic reply: Your order
Thread-Topic: Your order
Thread-Index: AQHTVoX48qQf/rL9R02Db7+QqglAPw==
Message-ID: <b5d66930e762@AM0PR04MB1234.eurprd04.prod.outlook.com>
In-Reply-To: <order-1@example.org>
References: <order-1@example.org>
X-MS-Has-Attach:
X-Auto-Response-Suppress: All
X-MS-Exchange-Inbox-Rules-Loop: ada@example.com
X-MS-TNEF-Correlator:
auto-submitted: auto-generated
x-ms-exchange-generated-message-source: Mailbox Rules Agent
Content-Type: text/html; charset="utf-8"
MIME-Version: 1.0`,
	'Exchange in German: out of office, relayed without its envelope': `
From: Karl Weber <k.weber@firma.example>
Subject: =?utf-8?Q?Automatische_Antwort=3A_Angebot_f=C3=BCr_M=C3=A4rz?=
X-Auto-Response-Suppress: All
auto-submitted: auto-generated
Message-ID: <1@firma.example>
In-Reply-To: <2@example.org>`,
	'Exchange 2013: a rule that answers, with a subject of its own': `
From: Building <design@council.example>
To: Support <support@example.org>
Subject: Council Autoreply
Message-ID: <b5d66930e76243eb@EX2013.council.example>
X-MS-Has-Attach:
X-Auto-Response-Suppress: All
X-MS-Exchange-Inbox-Rules-Loop: design@council.example
x-ms-exchange-transport-fromentityheader: Hosted
x-ms-exchange-parent-message-id: <7895a7aa177b@example.org>
auto-submitted: auto-generated
x-ms-exchange-generated-message-source: Mailbox Rules Agent`,
	'Outlook.com: vacation': `
Received: from NAM12-BN8-obe.outbound.protection.outlook.com by mx.example.org
From: Grace <grace@outlook.example>
Subject: Automatic reply: Hello
Auto-Submitted: auto-generated
X-Auto-Response-Suppress: All
X-MS-Exchange-Inbox-Rules-Loop: grace@outlook.example
In-Reply-To: <a@example.org>`,
	'Outlook in French': `
Subject: =?iso-8859-1?Q?R=E9ponse_automatique_=3A_Facture_42?=
From: Jean <jean@exemple.example>
X-Auto-Response-Suppress: All`,
	'Outlook in Polish': `
Subject: =?utf-8?B?QXV0b21hdHljem5hIG9kcG93aWVkxbo6IE9mZXJ0YQ==?=
From: Jan <jan@przyklad.example>
Auto-Submitted: auto-generated`,
	'Outlook in Japanese': `
Subject: =?utf-8?B?6Ieq5YuV5b+c562UOiDjgYrllY/jgYTlkIjjgo/jgZs=?=
From: Hana <hana@rei.example>
X-Auto-Response-Suppress: OOF, AutoReply`,
	'Gmail: vacation responder': `
Return-Path: <ada@gmail.example>
Received: by mail-sor-f69.google.com with SMTPS id x
MIME-Version: 1.0
From: Ada <ada@gmail.example>
Subject: On holiday Re: Your order
X-Autoreply: yes
Auto-Submitted: auto-replied
Precedence: bulk
In-Reply-To: <order-1@example.org>
References: <order-1@example.org>
Message-ID: <CAF@mail.gmail.com>
Content-Type: text/plain; charset="UTF-8"`,
	'vacation(1) of FreeBSD': `
Return-Path: <ada@bsd.example>
From: ada@bsd.example
To: support@example.org
Subject: away from my mail
Delivered-By-The-Graces-Of: The Vacation program
Precedence: bulk
Auto-Submitted: auto-replied`,
	'vacation(1) before RFC 3834': `
Return-Path: <>
From: ada@old.example (Ada)
Subject: Out of office
Precedence: bulk
X-Delivered-By-The-Graces-Of: The Vacation program`,
	'vacation(1) behind a server that writes no Return-Path': `
From: ada@old.example (Ada)
Subject: Out of office
Precedence: bulk`,
	'Sieve vacation of Dovecot': `
Return-Path: <>
X-Sieve: Pigeonhole Sieve 0.5.21
Message-ID: <dovecot-sieve-1@mail.example.com>
Date: Mon, 16 Nov 2026 10:00:00 +0100
From: <ada@example.com>
To: <support@example.org>
Subject: Auto: Your order
In-Reply-To: <order-1@example.org>
References: <order-1@example.org>
Auto-Submitted: auto-replied (vacation)
Precedence: bulk
X-Auto-Response-Suppress: All
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8`,
	'Sieve vacation of Cyrus': `
Return-Path: <>
X-Sieve: CMU Sieve 2.4
Message-ID: <cmu-sieve-1@imap.example.com>
From: ada@example.com
Subject: Auto: Hello
Auto-Submitted: auto-replied (vacation)`,
	'iCloud: vacation': `
Return-Path: <>
From: Ada <ada@icloud.example>
Subject: Away until Monday
Auto-Submitted: auto-replied
X-Autoreply: YES
In-Reply-To: <order-1@example.org>`,
	'Proton: auto-reply': `
Return-Path: <ada@proton.example>
From: Ada <ada@proton.example>
Subject: Auto: Your order
Auto-Submitted: auto-replied
X-Autoreply: yes
X-Autoreply-From: ada@proton.example
X-Pm-Origin: internal
Precedence: auto_reply`,
	'Yahoo: vacation response': `
From: Ada <ada@yahoo.example>
Subject: Automatic reply: Hello
X-Autoreply: vacation
Precedence: bulk`,
	'Zimbra: out of office': `
From: Ada <ada@zimbra.example>
Subject: Re: Your order
Auto-Submitted: auto-replied (zimbra; vacation)
Precedence: bulk`,
	'Domino: out of office agent': `
From: ada@domino.example
Subject: AUTO: Ada Byron is out of the office (returning 2026-12-01)
Auto-Submitted: auto-generated
X-Mailer: Lotus Notes Release 9.0.1`,
	'GroupWise: vacation rule': `
From: Ada <ada@gw.example>
Subject: Out of Office: Your order
X-Mailer: Novell GroupWise Internet Agent
Auto-Submitted: auto-replied`,
	'cPanel: autoresponder': `
Return-Path: <>
From: "Sales" <sales@cpanel.example>
Subject: We have received your mail
X-Autorespond: Hello
Precedence: bulk
In-Reply-To: <1@example.org>
Auto-Submitted: auto-replied`,
	'Plesk: autoresponder': `
Return-Path: <sales@plesk.example>
From: sales@plesk.example
Subject: Re: Question
X-Autorespond: on
Precedence: auto_reply`,
	'OTRS: auto reply to a new ticket': `
From: Service Desk <service@desk.example>
Subject: [Ticket#2026111610000018] RE: Printer
Auto-Submitted: auto-replied
Precedence: bulk
X-Auto-Response-Suppress: All
X-Mailer: OTRS Mail Service (6.0)
X-Powered-By: OTRS (https://otrs.com/)`,
	'Zammad: auto reply to a new ticket': `
From: Helpdesk <help@zammad.example>
Subject: [Ticket#10042] Printer
Auto-Submitted: auto-replied
X-Auto-Response-Suppress: All
Precedence: bulk
X-Mailer: Zammad Mail Service`,
	'Freshdesk: acknowledgement': `
Return-Path: <bounces@freshdesk.example>
From: Acme <support@acme.example>
Subject: Ticket Received - Printer
Auto-Submitted: auto-replied
X-Auto-Response-Suppress: DR, OOF, AutoReply`,
	'Thunderbird: a filter that answers with a template': `
From: Ada <ada@example.com>
Subject: Auto: Hello
Auto-Submitted: auto-replied
User-Agent: Mozilla Thunderbird`,
	'an old responder that speaks by its precedence alone': `
From: list-owner@old.example
Subject: Your mail
Precedence: auto_reply`,
	'a responder that answers with an empty envelope and nothing else': `
Return-Path: <>
From: info@small.example
Subject: Vielen Dank
In-Reply-To: <1@example.org>`,
	'Mailman: the answer to a command': `
Return-Path: <bounces@lists.example>
From: dev-request@lists.example
Subject: The results of your email commands
Auto-Submitted: auto-replied
List-Id: <dev.lists.example>
Precedence: bulk
X-BeenThere: dev@lists.example`,
	'somebody who is out of office, through a list': `
From: Ada <ada@example.com>
Subject: Automatic reply: [dev] Release
Auto-Submitted: auto-replied
List-Id: <dev.lists.example>
List-Post: <mailto:dev@lists.example>
Precedence: list`,
};

const bounces: Record<string, string> = {
	'a relay that names the recipient that failed, and little else': `
From: Relay <no-reply@relay.example>
Subject: Problem with your message
X-Failed-Recipients: nobody@example.com`,
	'Exchange: non-delivery report in a language of few': `
From: Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@cwmni.example>
Subject: Methu danfon: Archeb
X-MS-Exchange-Message-Is-Ndr:`,
	'a mail server that writes without any standard': `
From: Mail System <MAILER-DAEMON@old.example>
Subject: Problems with 1 recipient`,
	'a postmaster whose envelope was lost on the way': `
From: postmaster@firma.example
Subject: Undeliverable: Your order`,
	'Postfix: undelivered': `
Return-Path: <>
Date: Mon, 16 Nov 2026 10:00:00 +0100 (CET)
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: support@example.org
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4F1B2C.1700000000/mx.example.com"`,
	'Postfix: delayed': `
Return-Path: <>
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Delayed Mail (still being retried)
Auto-Submitted: auto-replied
Content-Type: multipart/report; boundary="b"; report-type=delivery-status`,
	'Exim: failed': `
Return-path: <>
Received: from Debian-exim by mx.example.com with local (Exim 4.96) id 1abc
X-Failed-Recipients: nobody@example.com
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.com>
To: support@example.org
Subject: Mail delivery failed: returning message to sender`,
	'Exim: delayed': `
From: Mail Delivery System <Mailer-Daemon@mx.example.com>
Auto-Submitted: auto-replied
Subject: Warning: message 1abc delayed 24 hours`,
	sendmail: `
Return-Path: <MAILER-DAEMON>
From: Mail Delivery Subsystem <MAILER-DAEMON>
Subject: Returned mail: see transcript for details
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="uAG.1700000000/host.example.com"
Auto-Submitted: auto-generated (failure)`,
	qmail: `
Return-Path: <>
Received: (qmail 1234 invoked for bounce); 16 Nov 2026 09:00:00 -0000
Date: 16 Nov 2026 09:00:00 -0000
From: MAILER-DAEMON@host.example.com
To: support@example.org
Subject: failure notice`,
	'Exchange Online: non-delivery report': `
From: Microsoft Outlook
	<MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@firma.onmicrosoft.example>
To: <support@example.org>
X-MS-Exchange-Organization-SCL: -1
X-MS-Exchange-Message-Is-Ndr:
Message-ID: <1b8c300e@BY5PR09MB5379.namprd09.prod.outlook.com>
In-Reply-To: <order-1@example.org>
Subject: Undeliverable: Your order
Auto-Submitted: auto-replied
Content-Type: multipart/mixed; boundary="x"`,
	'Exchange Online in Portuguese, from postmaster': `
Return-Path: <>
From: <postmaster@empresa.example>
Subject: =?utf-8?B?TsOjbyDDqSBwb3Nzw612ZWwgZW50cmVnYXI6IFBlZGlkbw==?=
Content-Type: multipart/report; report-type=delivery-status; boundary="x"
X-MS-Exchange-Message-Is-Ndr: `,
	'Gmail: address not found': `
Return-Path: <>
Received: by mail.gmail.example with SMTP id 1
X-Failed-Recipients: nobody@gmail.example
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: support@example.org
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: <order-1@example.org>
In-Reply-To: <order-1@example.org>
Content-Type: multipart/report; boundary="0000"; report-type=delivery-status`,
	'Amazon SES': `
Return-Path: <>
From: MAILER-DAEMON@amazonses.com
To: support@example.org
Subject: Delivery Status Notification (Failure)
Content-Type: multipart/report;
	boundary="----=_Part_1_2.3"; report-type=delivery-status`,
	'Domino: delivery failure': `
From: postmaster@domino.example
Subject: DELIVERY FAILURE: User nobody (nobody@domino.example) not listed in Domino Directory
Auto-Submitted: auto-generated
X-Mailer: Lotus Domino Release 9`,
	'MDaemon: from postmaster, without a report': `
Return-Path: <>
From: Postmaster <postmaster@mdaemon.example>
Subject: Mail delivery failed`,
	'Kerio: with a name of its own': `
Return-Path: <>
From: "Mail Delivery Subsystem" <system@kerio.example>
Subject: Undeliverable mail: Your order
Auto-Submitted: auto-replied`,
	'a bounce that a list sends on': `
From: MAILER-DAEMON@mx.example.com
Subject: Undelivered Mail Returned to Sender
List-Id: <dev.lists.example>
Precedence: list
Content-Type: multipart/report; report-type=delivery-status; boundary=b`,
	'an internationalised delivery report (RFC 6533)': `
From: postmaster@例え.example
Subject: Report
Content-Type: multipart/report; report-type="global-delivery-status"; boundary=b`,
};

const reports: Record<string, string> = {
	'a DMARC failure report of a postmaster': `
Return-Path: <>
From: postmaster@provider.example
Subject: DMARC failure report for example.org
Content-Type: multipart/report; report-type=feedback-report; boundary=b`,
	'Outlook: read receipt': `
From: Ada <ada@example.com>
To: support@example.org
Subject: Read: Your order
In-Reply-To: <order-1@example.org>
Content-Type: multipart/report; report-type=disposition-notification; boundary="_000_"
X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent`,
	'Thunderbird: read receipt': `
From: Ada <ada@example.com>
Subject: Return Receipt (displayed) - Your order
References: <order-1@example.org>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=disposition-notification;
 boundary="------------mdn123"`,
	'Exchange: deleted without being read': `
From: Ada <ada@example.com>
Subject: Not read: Your order
Content-Type: multipart/report; boundary="b"; report-type="disposition-notification"`,
	'Yahoo: complaint in ARF': `
From: Yahoo! Mail AntiSpam Feedback <feedback@arf.mail.yahoo.example>
Subject: FW: Newsletter
Content-Type: multipart/report; boundary="------------f"; report-type=feedback-report`,
	'Outlook.com: complaint (JMRP)': `
From: staff@hotmail.example
Subject: complaint about message from 192.0.2.1
X-HmXmrOriginalRecipient: ada@hotmail.example
Content-Type: multipart/mixed; boundary=b`,
	'Google: DMARC aggregate': `
From: noreply-dmarc-support@google.com
Subject: Report domain: example.org Submitter: google.com Report-ID: 1234567890
Content-Type: application/zip; name="google.com!example.org!1!2.zip"`,
	'Microsoft: DMARC aggregate': `
From: DMARC Aggregate Report <dmarcreport@microsoft.com>
Subject: [Preview] Report Domain: example.org Submitter: enterprise.protection.outlook.com Report-ID: abc
Content-Type: multipart/mixed; boundary="_mpm_"`,
	'DMARC failure report': `
From: dmarc-noreply@linkedin.com
Subject: DMARC Failure report for example.org
Content-Type: multipart/report; report-type="feedback-report"; boundary=b`,
	'Google: TLS report': `
From: noreply-smtp-tls-reporting@google.com
Subject: Report Domain: example.org Submitter: google.com Report-ID: <2026.11.16T00.00.00Z+example.org@google.com>
TLS-Report-Domain: example.org
TLS-Report-Submitter: google.com
Content-Type: multipart/report; boundary="b"; report-type=tlsrpt`,
	'a report without its type': `
From: gateway@example.com
Subject: Message status
Content-Type: multipart/report; boundary=b`,
	'a notice about mail, with an empty envelope': `
Return-Path: <>
From: Quarantine <quarantine@gateway.example>
Subject: 3 messages are held for you`,
};

const lists: Record<string, string> = {
	'Mailman 2: a person who writes to the list': `
Return-Path: <dev-bounces@lists.example>
Sender: dev-bounces@lists.example
From: Ada <ada@example.com>
To: dev@lists.example
Subject: Re: [dev] Release
X-BeenThere: dev@lists.example
X-Mailman-Version: 2.1.39
Precedence: list
List-Id: Developers <dev.lists.example>
List-Unsubscribe: <https://lists.example/options/dev>
List-Post: <mailto:dev@lists.example>
In-Reply-To: <1@example.com>`,
	'Google Groups: a person': `
From: "'Ada' via Team" <team@groups.example>
To: team@groups.example
Subject: Lunch?
Precedence: list
Mailing-list: list team@groups.example; contact team+owners@groups.example
List-ID: <team.groups.example>
X-Google-Group-Id: 123456789012
List-Post: <https://groups.google.com/a/groups.example/group/team/post>
Reply-To: ada@example.com`,
	'Microsoft 365 group': `
From: Ada <ada@firma.example>
Subject: Plan
List-ID: <team.firma.example>
List-Unsubscribe: <mailto:team+unsubscribe@firma.example>
X-MS-Exchange-GroupSource: x`,
	Mailchimp: `
From: Shop <news@shop.example>
Subject: 20 % off
X-Mailer: MailChimp Mailer - **CIDabc**
X-Campaign: mailchimpabc.def
X-MC-User: abc
List-ID: abcmc list <abc.list-id.mcsv.net>
List-Unsubscribe: <https://shop.us1.list-manage.com/unsubscribe?u=a>, <mailto:unsubscribe@mailin.mcsv.net>
List-Unsubscribe-Post: List-Unsubscribe=One-Click
Precedence: bulk`,
	Substack: `
From: Ada from The Engine <engine@substack.example>
Subject: Issue 42
List-ID: <engine.substack.com>
List-Owner: <mailto:engine@substack.example>
List-Post: <https://engine.substack.example/p/42>
List-Unsubscribe: <https://engine.substack.example/unsubscribe>`,
	'GitHub: a person comments': `
From: Ada <notifications@github.example>
Reply-To: org/repo <reply+abc@reply.github.example>
To: org/repo <repo@noreply.github.example>
Cc: Subscribed <subscribed@noreply.github.example>
Subject: Re: [org/repo] Crash (Issue #7)
In-Reply-To: <org/repo/issues/7@github.com>
Precedence: list
X-GitHub-Sender: ada
X-GitHub-Reason: subscribed
List-ID: org/repo <repo.org.github.com>
List-Post: <mailto:reply+abc@reply.github.example>
X-Auto-Response-Suppress: All`,
	'GitLab: a pipeline': `
From: GitLab <gitlab@mg.gitlab.example>
Subject: Failed pipeline for main
Auto-Submitted: auto-generated
X-Auto-Response-Suppress: All
List-Id: org/repo <7.repo.org.gitlab.example>`,
	'Jira: an issue was changed': `
From: "Ada (Jira)" <jira@firma.example>
Subject: [JIRA] (APP-7) Crash
Auto-Submitted: auto-generated
Precedence: bulk
In-Reply-To: <JIRA.7@firma.example>
X-JIRA-FingerPrint: abc`,
	'a newsletter that has nothing but the way out': `
From: Club <news@club.example>
Subject: November
List-Unsubscribe: <mailto:out@club.example>`,
	'majordomo of the kernel': `
From: Ada <ada@kernel.example>
Sender: linux-spi-owner@vger.kernel.example
Precedence: bulk
X-Mailing-List: linux-spi@vger.kernel.example
Subject: [PATCH] spi`,
	'a newsletter in a time of old': `
From: info@old.example
Subject: News
Precedence: junk`,
};

const ordinary: Record<string, string> = {
	'a person, in Gmail': `
Delivered-To: support@example.org
Received: by 2002:a05:6a00:1 with SMTP id x
Return-Path: <ada@gmail.example>
MIME-Version: 1.0
From: Ada <ada@gmail.example>
Subject: Hello
Message-ID: <CAF@mail.gmail.com>
Content-Type: multipart/alternative; boundary="0000"`,
	'a person who answers an out-of-office notice': `
Return-Path: <ada@example.com>
From: Ada <ada@example.com>
Subject: RE: Automatic reply: Your order
In-Reply-To: <1@example.org>
X-MS-Has-Attach:
X-Auto-Response-Suppress: DR, OOF, AutoReply`,
	'a person who writes about being out of office': `
Return-Path: <ada@example.com>
From: Ada <ada@example.com>
Subject: Out of office next week, please take over
Message-ID: <2@example.com>`,
	'a person who forwards a bounce': `
Return-Path: <ada@example.com>
From: Ada <ada@example.com>
Subject: Fwd: Undeliverable: Your order
Content-Type: multipart/mixed; boundary=b`,
	'a person who writes about mail that came back': `
From: Ada <ada@example.com>
Subject: Undeliverable: what shall I do?`,
	'a postmaster who writes himself': `
Return-Path: <postmaster@example.com>
From: The Postmaster <postmaster@example.com>
Subject: Your mailbox will move on Friday
Message-ID: <3@example.com>`,
	'a name that looks like a server': `
From: "MAILER-DAEMON@example.com" <ada@example.com>
Subject: Hello`,
	'Auto-Submitted: no': `
From: Ada <ada@example.com>
Subject: Automatic reply: how do I set it up?
Auto-Submitted: no`,
	'Zendesk: an agent answers': `
From: Bob (Acme) <support@acme.zendesk.example>
Reply-To: Acme <support+id7@acme.zendesk.example>
Subject: [Acme] Re: Printer
Auto-Submitted: auto-generated
X-Auto-Response-Suppress: All
X-Mailer: Zendesk Mailer
X-Delivery-Context: event-id-1
In-Reply-To: <7@example.org>
References: <7@example.org>`,
	'SharePoint: somebody shares a file': `
From: Ada <no-reply@sharepointonline.example>
Subject: Ada shared "Plan" with you
X-Auto-Response-Suppress: All
Auto-Submitted: auto-generated`,
	'an HR portal: a vacation is granted': `
From: HR <hr@firma.example>
Subject: Vacation request approved
X-Auto-Response-Suppress: All
Auto-Submitted: auto-generated`,
	'a parcel service: not delivered': `
From: Parcels <info@parcels.example>
Subject: Delivery notification: we could not find you
Auto-Submitted: auto-generated`,
	'a shop: confirmation of an order': `
Return-Path: <0100018b@amazonses.example>
From: Shop <orders@shop.example>
Subject: Your order 42
Auto-Submitted: auto-generated
Feedback-ID: 1.eu-west-1.abc:AmazonSES
X-SES-Outgoing: 2026.11.16-54.240.1.1`,
	'Google Calendar: a person invites': `
From: Ada <ada@gmail.example>
Sender: Google Calendar <calendar-notification@google.com>
Auto-Submitted: auto-generated
Subject: Invitation: Lunch @ Mon 16 Nov 2026
Content-Type: multipart/mixed; boundary="0000"`,
	'Outlook: a person accepts a meeting': `
From: Ada <ada@firma.example>
Subject: Accepted: Lunch
Content-Type: multipart/alternative; boundary="_000_"
X-MS-Exchange-Calendar-Originator-Id: x`,
	'Exchange: a rule forwards what a person wrote': `
From: Ada <ada@firma.example>
Subject: FW: Your order
X-Auto-Response-Suppress: All
X-MS-Exchange-Inbox-Rules-Loop: ada@firma.example
auto-submitted: auto-generated
x-ms-exchange-generated-message-source: Mailbox Rules Agent`,
	'Exchange: a rule redirects what an app sent': `
From: App <app@app.example>
Subject: Invoice 42
X-Auto-Response-Suppress: All
X-MS-Exchange-Inbox-Rules-Loop: ada@firma.example
Auto-Submitted: auto-generated`,
	'a scanner': `
From: scanner@firma.example
Subject: Scan from a Xerox
X-Mailer: Xerox WorkCentre`,
	'a monitor: cron': `
From: root@host.example (Cron Daemon)
Subject: Cron <root@host> backup
Auto-Submitted: auto-generated
X-Cron-Env: <SHELL=/bin/sh>`,
	'Sieve: a notification (RFC 5436)': `
From: notify@example.com
Subject: New mail
Auto-Submitted: auto-notified`,
	'a person who asks for a read receipt': `
From: Ada <ada@example.com>
Subject: Read: this is important
Disposition-Notification-To: Ada <ada@example.com>`,
	'a person on "Report Domain"': `
From: Ada <ada@example.com>
Subject: Report domain: which one do we take?`,
	'X-Autoreply: no': `
From: Ada <ada@example.com>
Subject: Hello
X-Autoreply: no`,
	'a signed email, which is no report': `
From: Ada <ada@example.com>
Subject: Signed
Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary=b`,
};

const kinds: Array<[Automatic | null, Record<string, string>]> = [
	['reply', replies],
	['bounce', bounces],
	['report', reports],
	['list', lists],
	[null, ordinary],
];

/** Headers as mailers of all kinds write them, in the shape of real ones. */
export const samples: MailSample[] = kinds.flatMap(([is, ofKind]) =>
	Object.entries(ofKind).map(([what, header]) => ({ what, is, header: header.trim() })),
);
