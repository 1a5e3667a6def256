import type { Pause } from '../../lib/pause';
import type { DmarcPolicy } from '../records';
import type { DnsResolver } from '../resolver/types';

/** Result of one DKIM signature (RFC 6376); unknown where it could not be checked. */
export type SignatureResult = 'fail' | 'pass' | 'unknown';

export interface SignatureCheck {
	/** The domain that signed (d=), in ASCII. */
	domain: string;
	/** The name of its key (s=). */
	selector: string;
	result: SignatureResult;
	/** Why it did not pass, in a few words; null where it did. */
	reason: string | null;
	/** Whether it is the domain of From, or one that counts for it (DMARC, RFC 7489 section 3.1.1). */
	aligned: boolean;
}

/** What a mail server wrote into the email (Authentication-Results, RFC 8601). */
export interface ReportedAuthentication {
	/** The name of the server that wrote it (authserv-id). */
	server: string;
	/** Whether the user named it as trusted: only then it counts. */
	trusted: boolean;
	dkim: string | null;
	spf: string | null;
	dmarc: string | null;
}

/** Whether the email comes from the domain in its From: `delivery.authentication`. */
export interface Authentication {
	/**
	 * `pass`: a valid signature of the domain of From, or one that is aligned with it; `fail`: there are signatures, and
	 * none is that; `none`: it is not signed; `unknown`: it could not be checked.
	 */
	result: 'fail' | 'none' | 'pass' | 'unknown';
	/** Why it is not `pass`, in a sentence; null where it is. */
	reason: string | null;
	/** The domain of From, in ASCII; null where From does not name exactly one. */
	domain: string | null;
	signatures: SignatureCheck[];
	/** What the domain asks receivers to do with forged mail (DMARC); null where it publishes nothing, `unknown` where it was not found out. */
	policy: DmarcPolicy | 'unknown' | null;
	/** The topmost Authentication-Results; null where there is none. */
	reported: ReportedAuthentication | null;
}

export interface SenderCheckOptions {
	/** Asked for the keys of signatures, and the policy of the domain. */
	resolver: DnsResolver;
	/**
	 * Names of servers (authserv-id, RFC 8601) whose Authentication-Results prove a sender, too. They have to remove what
	 * others write in their name, as RFC 8601 (5) asks of them, and all mail has to come through them last.
	 */
	trustedServers: readonly string[];
	pause: Pause;
	/** The DNS is asked nothing where its answers could not prove the sender. */
	onlyForProof?: boolean;
	/** When the email is checked: signatures expire. Without it, now. */
	now?: Date;
}

export interface SenderCheck {
	authentication: Authentication;
	/** True where the result is `unknown` because the DNS could not be asked: another time it may be known. */
	retryable: boolean;
	/** Where that is so, why: in a few known words, with the hosts of resolvers and nothing of an email. */
	because?: string;
}
