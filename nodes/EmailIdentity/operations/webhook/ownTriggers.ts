import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject, parseJson } from '../../api/json';
import { requestWithinBounds } from '../../api/request';
import { PATIENCE } from '../../api/retry';
import { canonicalUrl, Limiter } from '../../../../lib/basics';
import {
	deriveSecret,
	isTestUrl,
	secretOfUrl,
	webhookPathIn,
	withSecret,
} from '../../shared/secret';
import type { Item } from '../runOperation';

const MAX_BYTES = 10_000;

/** The status with which a trigger refuses a request without the secret. */
const REFUSED = 401;

export interface TriggerAnswer {
	/** The code of a finding; undefined if the trigger answers as expected. */
	fault?:
		'certificateNotTrusted' | 'notPublished' | 'notReachable' | 'redirected' | 'unexpectedAnswer';
	status?: number;
}

/** Recognizes the triggers of this n8n by their secrets, which depend on the path, this n8n and the API key. */
export async function ownTriggers({ context, service, maxConcurrentRequests, cache }: Item) {
	const { apiKey } = await service.credential();
	// Nodes know n8n's public URL only from the URL that resumes an execution, which has two more segments.
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const base = withoutEnd(resumeUrl, 2);
	const instanceId = context.getInstanceId();
	const isOwn = (url: string): boolean => {
		const webhookPath = webhookPathIn(url);
		// Between n8n's URL and the path is one segment, usually `webhook`.
		if (webhookPath === undefined || withoutEnd(url, 3) !== base) return false;
		const secret = deriveSecret(apiKey, { instanceId, webhookPath, listening: 'production' });
		return secretOfUrl(url) === secret;
	};
	const outOfTime = AbortSignal.timeout(PATIENCE.ownTriggers.total);
	const signal = AbortSignal.any([outOfTime, context.getExecutionCancelSignal() ?? []].flat());
	const limiter = new Limiter(maxConcurrentRequests);
	return {
		isForTests: (url: string): boolean => isTestUrl(url, apiKey, instanceId),
		/**
		 * Asks a trigger at n8n's public URL whether it answers. The secret is left empty, so the trigger refuses the request
		 * with 401 before it reads anything: no workflow starts. Other URLs are not contacted, because a request might start
		 * something there, and the service must not make n8n contact them.
		 *
		 * @returns undefined for other URLs, when cancelled and out of time
		 */
		async check(url: string): Promise<TriggerAnswer | undefined> {
			if (!isOwn(url)) return undefined;
			const ask = async () => await askTrigger(context, url, signal);
			return await cache.once(`trigger ${url}`, async () => await limiter.run(ask));
		},
	};
}

async function askTrigger(
	{ helpers }: IExecuteFunctions,
	triggerUrl: string,
	signal: AbortSignal,
): Promise<TriggerAnswer | undefined> {
	const url = withSecret(withoutQuery(triggerUrl), '');
	const outcome = await requestWithinBounds(
		async (options) => await helpers.httpRequest({ ...options, method: 'POST', url }),
		{ timeout: PATIENCE.ownTriggers.timeout, signal, maxBytes: MAX_BYTES },
	);
	if ('problem' in outcome) {
		if (outcome.problem === 'cancelled') return undefined;
		return { fault: outcome.problem === 'certificate' ? 'certificateNotTrusted' : 'notReachable' };
	}
	const { status, body } = outcome;
	if (status === REFUSED) return { status };
	if (status >= 300 && status < 400) return { fault: 'redirected', status };
	const answer = parseJson(body.toString())?.value;
	// A proxy may also answer 404, in another format.
	const isNotFound = status === 404 && isObject(answer) && answer.code === 404;
	return { fault: isNotFound ? 'notPublished' : 'unexpectedAnswer', status };
}

const withoutEnd = (url: string, segments: number): string =>
	withoutQuery(url).split('/').slice(0, -segments).join('/');

const withoutQuery = (url: string): string => canonicalUrl(url).replace(/\?.*/, '');
