import { randomBytes } from 'crypto';
import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { parseUrl } from '../../../../../lib/basics';
import { isPrivateHost } from '../../../api/data/webhookUrl';
import { digestSecret, matchesDigest } from '../../../shared/secret';
import type { KeptQuestion } from './keptQuestion';

/** The query parameter with the question's random value. n8n signs it. */
const QUESTION_PARAMETER = 'question';

/** The query parameter with the button of the email, which the page highlights. It decides nothing. */
const BUTTON_PARAMETER = 'button';

/** 256 bits, so that nobody can guess the link of a question. */
const RANDOM_BYTES = 32;

/** The first release with signed links. */
const OLDEST_N8N = '1.107';

export type Button = 'approve' | 'decline';

/** The links of one question, which differ from those of every other question. */
export interface QuestionLinks {
	/** The digest of the random value in them. */
	digest: string;
	/** @param button absent for an answer in own words */
	urlOf(button?: Button): string;
}

/** What differs between releases of n8n; the types know the newest alone. */
interface SigningContext {
	/** Missing before 1.107. */
	getSignedResumeUrl?(parameters: Record<string, string>): string;
	/** Missing from 2.14 on, which always checks signatures. */
	setSignatureValidationRequired?(): void;
}

/**
 * Creates links that n8n signs, and has n8n check their signature.
 *
 * @throws NodeOperationError if n8n cannot do it, or if nobody could open the links
 */
export function createLinks(context: IExecuteFunctions, allowPrivate: boolean): QuestionLinks {
	const signing = context as unknown as SigningContext;
	if (signing.getSignedResumeUrl === undefined) {
		throw new NodeOperationError(context.getNode(), 'The question was not sent', {
			description: `Send and Wait for Response needs n8n ${OLDEST_N8N} or newer, because older versions do not sign the link in the email. Update n8n.`,
		});
	}
	signing.setSignatureValidationRequired?.();
	const random = randomBytes(RANDOM_BYTES).toString('base64url');
	const urlOf = (button?: Button): string => {
		const parameters: Record<string, string> = { [QUESTION_PARAMETER]: random };
		if (button !== undefined) parameters[BUTTON_PARAMETER] = button;
		return context.getSignedResumeUrl(parameters);
	};
	requireReach(context, urlOf(), allowPrivate);
	return { digest: digestSecret(random), urlOf };
}

/** @param query of a request @returns whether it comes from the link of this question */
export function isLinkOf({ digest }: KeptQuestion, query: unknown): boolean {
	const value = (query as Record<string, unknown>)[QUESTION_PARAMETER];
	return typeof value === 'string' && matchesDigest(value, digest);
}

export function buttonIn(query: unknown): Button | undefined {
	const value = (query as Record<string, unknown>)[BUTTON_PARAMETER];
	return value === 'approve' || value === 'decline' ? value : undefined;
}

function requireReach(context: IExecuteFunctions, link: string, allowPrivate: boolean): void {
	if (allowPrivate) return;
	const url = parseUrl(link);
	if (url?.protocol === 'https:' && !isPrivateHost(url.hostname)) return;
	const place = url?.origin ?? 'no complete URL';
	throw new NodeOperationError(
		context.getNode(),
		'The question was not sent, because its link would not work everywhere',
		{
			description: `The link begins with ${place}. Set N8N_WEBHOOK_URL (WEBHOOK_URL in older versions of n8n) to n8n's public https:// URL. If all who answer are on n8n's network, turn on 'Allow Private Webhook URLs' in the credential.`,
		},
	);
}
