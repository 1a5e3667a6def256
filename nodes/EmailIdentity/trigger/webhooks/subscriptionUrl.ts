import { createHash } from 'crypto';

import { isLoopback, isPrivateHost, webhookUrlProblem } from '../../api/data/webhookUrl';
import { parseUrl, pathOf, toUrl } from '../../../../lib/basics';
import {
	NODE_PARAMETER,
	PARAMETER,
	webhookPathIn,
	withParameter,
	withSecret,
	type NodeIdentity,
	type SecretScope,
} from '../../shared/secret';

export interface Endpoint extends SecretScope {
	/** n8n's URL for the node, without the secret. */
	address: string;
	/** Empty for none. */
	deliveryUrl: string;
	name: string;
}

/** The query parameter that says until when n8n listens for a test event. */
const UNTIL_PARAMETER = 'until';

const FINGERPRINT_LENGTH = 16;

/** Identifies the node in the URL of its subscription; not secret. 96 bits. */
export function fingerprintOf({ instanceId, webhookPath }: NodeIdentity): string {
	const digest = createHash('sha256').update(JSON.stringify([instanceId, webhookPath]));
	return digest.digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

/** Test events always arrive at n8n's own URL. */
export function usesGateway({ deliveryUrl, listening }: Endpoint): boolean {
	return deliveryUrl !== '' && listening === 'production';
}

/** @param until when n8n stops listening for a test event, see `wallClockNow`; undefined for production */
export function subscriptionUrl(endpoint: Endpoint, secret: string, until?: number): string {
	if (until !== undefined) {
		const time = new Date(until).toISOString();
		return withSecret(withParameter(endpoint.address, UNTIL_PARAMETER, time), secret);
	}
	if (!usesGateway(endpoint)) return withSecret(endpoint.address, secret);
	const gateway = toUrl(endpoint.deliveryUrl);
	gateway.hash = '';
	return withSecret(
		withParameter(gateway.toString(), NODE_PARAMETER, fingerprintOf(endpoint)),
		secret,
	);
}

/** The parameter that a webhook created by hand needs in the query of the Delivery URL. */
export function nodeParameterOf(endpoint: Endpoint): string {
	return `${NODE_PARAMETER}=${fingerprintOf(endpoint)}`;
}

/** The parts of a URL that say which node it leads to. Read once for each subscription, because all triggers look at all of them. */
export interface UrlParts {
	/** Origin and path in one spelling; empty if the URL is not valid. */
	address: string;
	/** The segment that names the node in n8n's own URLs; undefined if the path does not end as theirs do. */
	webhookPath: string | undefined;
	/** Undefined if the query has none. */
	fingerprint: string | undefined;
	/** Undefined if the query has none. */
	secret: string | undefined;
	/** When n8n stops listening for a test event, see `wallClockNow`; undefined if the query does not say it. */
	until: number | undefined;
}

export function partsOf(url: string): UrlParts {
	const parsed = parseUrl(url);
	const query = parsed?.searchParams;
	return {
		address: parsed ? parsed.origin + pathOf(url) : '',
		webhookPath: webhookPathIn(url),
		fingerprint: query?.get(NODE_PARAMETER) ?? undefined,
		secret: query?.get(PARAMETER) ?? undefined,
		until: readTime(query?.get(UNTIL_PARAMETER)),
	};
}

function readTime(text: string | null | undefined): number | undefined {
	const time = Date.parse(text ?? '');
	return Number.isNaN(time) ? undefined : time;
}

/** Why the service cannot deliver to the node, and how to fix it. */
export function addressRefusal(endpoint: Endpoint, allowPrivate: boolean): string | undefined {
	const { address, deliveryUrl } = endpoint;
	if (deliveryUrl !== '') {
		const refusal = deliveryUrlRefusal(deliveryUrl, allowPrivate);
		if (refusal !== undefined) return refusal;
	}
	if (usesGateway(endpoint)) return undefined;
	const problem = webhookUrlProblem(address, allowPrivate);
	return problem === undefined ? undefined : n8nRefusal(endpoint, problem);
}

/** Most people with a private address run the service beside n8n; from elsewhere, nobody reaches n8n's own computer. */
function n8nRefusal({ address, listening }: Endpoint, problem: string): string {
	const url = parseUrl(address);
	const place = url?.origin ?? address;
	const allow = "turn on 'Allow Private Webhook URLs' in the credential";
	// Without a public address, an email cannot be tried out, but a sample can.
	const orSample = listening === 'test' ? "turn on 'Use Sample Email', or " : '';
	const setUrl = `${orSample}set N8N_WEBHOOK_URL`;
	const isOnNetwork = url !== undefined && isPrivateHost(url.hostname) && !isLoopback(url.hostname);
	if (isOnNetwork) {
		return (
			`If the service is on the same network as n8n, ${allow}. Otherwise, ${setUrl} to n8n's public URL: ` +
			`${place} ${problem}.`
		);
	}
	const first = setUrl.charAt(0).toUpperCase() + setUrl.slice(1);
	return (
		`${first} to n8n's public URL: the service cannot reach ${place}, which ${problem}. ` +
		`If the service is on the same computer, ${allow}.`
	);
}

function deliveryUrlRefusal(deliveryUrl: string, allowPrivate: boolean): string | undefined {
	const problem = webhookUrlProblem(deliveryUrl, allowPrivate);
	if (problem !== undefined) {
		return (
			`The 'Delivery URL' ${problem}. Enter the public https:// URL of the gateway, or turn on 'Allow Private Webhook URLs' ` +
			'in the credential if the gateway is on the same network as the service.'
		);
	}
	const { searchParams } = toUrl(deliveryUrl);
	const taken = [NODE_PARAMETER, PARAMETER].find((name) => searchParams.has(name));
	if (taken === undefined) return undefined;
	return `The 'Delivery URL' has a query parameter named ${taken}, which the trigger uses itself. Remove it from the URL.`;
}
