import type { EmailOrigin } from '../../../../../lib/email';

/** Header fields in which receiving servers mark spam. */
const VERDICTS: Array<[name: string, spam: RegExp]> = [
	// SpamAssassin, amavis, Mailcow, IONOS, Gandi, iCloud
	['x-spam-flag', /^(?:yes|true|spam)\b/i],
	// SpamAssassin, cPanel, Postmark
	['x-spam-status', /^(?:yes|spam)\b/i],
	// rspamd, Proton, Mail.ru
	['x-spam', /^(?:yes|true|spam)\b/i],
	// rspamd
	['x-spam-action', /^(?:add header|rewrite subject|reject|quarantine)\b/i],
	['x-rspamd-action', /^(?:add header|rewrite subject|reject|quarantine)\b/i],
	['x-spamd-result', /^default: true\b/i],
	// Exchange Online and Outlook.com (Anti-spam message headers)
	['x-forefront-antispam-report', /(?:^|;)\s*(?:SFV:(?:SPM|SKB|SKS)|SCL:[5-9])(?:;|\s|$)/i],
	// Exchange Online
	['x-microsoft-antispam', /(?:^|;)\s*SCL:[5-9](?:;|\s|$)/i],
	// Exchange (spam confidence level)
	['x-ms-exchange-organization-scl', /^[5-9]$/],
	// Outlook.com
	['x-microsoft-antispam-mailbox-delivery', /(?:^|;)\s*dest:J(?:;|\s|$)/i],
	// Google Workspace
	['x-gm-spam', /^1\b/],
	['x-gm-phishy', /^1\b/],
	// iCloud
	['x-apple-movetofolder', /^junk\b/i],
	// Proton
	['x-pm-spam-action', /^(?:spam|phishing)\b/i],
	// Amazon SES; Kurrier takes all but PASS for spam
	['x-ses-spam-verdict', /^(?!pass\b)\S/i],
	['x-ses-virus-verdict', /^(?!pass\b)\S/i],
	// OVH
	['x-ovh-spam-status', /^spam\b/i],
	// OVH, Vade
	['x-vr-spamstate', /^spam\b/i],
	// Gandi
	['x-gnd-status', /^spam\b/i],
	// GMX, Web.de, 1&1
	['x-ui-filterresults', /^junk\b/i],
	// Yandex
	['x-yandex-spam', /^4\b/],
	// Yahoo
	['x-yahoofilteredbulk', /^\S/],
	// AOL
	['x-aol-global-disposition', /^S\b/],
	// Mailgun (receiving messages)
	['x-mailgun-sflag', /^yes\b/i],
	// Barracuda
	['x-barracuda-spam-flag', /^yes\b/i],
	['x-barracuda-spam-status', /^yes\b/i],
	// Proofpoint
	['x-proofpoint-spam-details', /^rule=spam\b/i],
	// Trend Micro
	['x-tm-as-result', /^yes\b/i],
	// MailScanner
	['x-mailscanner-spamcheck', /^spam\b/i],
	// bogofilter
	['x-bogosity', /^(?:spam|yes)\b/i],
	// DSPAM
	['x-dspam-result', /^spam\b/i],
];

/** Microsoft's fields have some hundred characters before the verdict. */
const MAX_VERDICT_LENGTH = 2000;

/** Whether a server on the way marked an email as spam. */
export function isMarkedAsSpam({ topmost }: EmailOrigin): boolean {
	for (const [name, spam] of VERDICTS) {
		const verdict = topmost(name).slice(0, MAX_VERDICT_LENGTH);
		if (spam.test(verdict)) return true;
	}
	return false;
}
