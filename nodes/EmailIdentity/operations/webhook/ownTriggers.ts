import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject, parseJson } from '../../api/data/json';
import { requestWithinBounds } from '../../api/requests/boundedRequest';
import { PATIENCE } from '../../api/requests/retry';
import { canonicalUrl, Limiter } from '../../../../lib/basics';
import {
	deriveSecret,
	isTestUrl,
	secretOfUrl,
	webhookPathIn,
	withSecret,
} from '../../shared/secret';
import type { Item } from '../operation';

const MAX_BYTES = 10_000;

/** The status with which a trigger refuses a request without the secret. */
const REFUSED = 401;

/** The code of a finding. */
export type TriggerFault =
	'certificateNotTrusted' | 'notPublished' | 'notReachable' | 'redirected' | 'unexpectedAnswer';

export interface TriggerAnswer {
	/** Absent if the trigger answers as expected. */
	fault?: TriggerFault;
	/** The HTTP status; absent without a response. */
	status?: number;
}

/** The triggers of this n8n, recognized by their secrets, which depend on the path, this n8n and the API key. */
export interface OwnTriggers {
	/** Whether a URL has the secret that this n8n derives for test events. */
	isForTests(url: string): boolean;
	/**
	 * Asks a trigger at n8n's public URL whether it answers. The secret is left empty, so the trigger refuses the request
	 * with 401 before it reads anything: no workflow starts. Other URLs are not contacted, because a request might start
	 * something there, and the service must not make n8n contact them.
	 *
	 * @returns undefined for other URLs, when cancelled and out of time
	 */
	check(url: string): Promise<TriggerAnswer | undefined>;
}

export async function ownTriggers(item: Item): Promise<OwnTriggers> {
	const { context, service, maxConcurrentRequests, cache } = item;
	const { apiKey } = await service.credential();
	const instanceId = context.getInstanceId();
	const publicUrl = publicUrlOf(context);
	const signal = signalFor(context);
	const limiter = new Limiter(maxConcurrentRequests);

	function isOwn(url: string): boolean {
		const webhookPath = webhookPathIn(url);
		// Between n8n's URL and the path is one segment, usually `webhook`.
		if (webhookPath === undefined || withoutEnd(url, 3) !== publicUrl) return false;
		const secret = deriveSecret(apiKey, { instanceId, webhookPath, listening: 'production' });
		return secretOfUrl(url) === secret;
	}

	return {
		isForTests: (url) => isTestUrl(url, apiKey, instanceId),
		async check(url) {
			if (!isOwn(url)) return undefined;
			const ask = async () => await askTrigger(context, url, signal);
			return await cache.once(`trigger ${url}`, async () => await limiter.run(ask));
		},
	};
}

/** Nodes know n8n's public URL only from the URL that resumes an execution, which has two more segments. */
function publicUrlOf(context: IExecuteFunctions): string {
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	return withoutEnd(resumeUrl, 2);
}

/** Aborts when the time for all triggers is over, or the execution is cancelled. */
function signalFor(context: IExecuteFunctions): AbortSignal {
	const signals = [AbortSignal.timeout(PATIENCE.ownTriggers.total)];
	const cancelled = context.getExecutionCancelSignal();
	if (cancelled !== undefined) signals.push(cancelled);
	return AbortSignal.any(signals);
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
		if (outcome.problem === 'certificate') return { fault: 'certificateNotTrusted' };
		return { fault: 'notReachable' };
	}
	const { status, body } = outcome;
	if (status === REFUSED) return { status };
	if (status >= 300 && status < 400) return { fault: 'redirected', status };
	if (status === 404 && isNotFoundOfN8n(body)) return { fault: 'notPublished', status };
	return { fault: 'unexpectedAnswer', status };
}

/** A proxy may also answer 404, in another format. */
function isNotFoundOfN8n(body: Buffer): boolean {
	const answer = parseJson(body.toString())?.value;
	return isObject(answer) && answer.code === 404;
}

function withoutEnd(url: string, segments: number): string {
	return withoutQuery(url).split('/').slice(0, -segments).join('/');
}

function withoutQuery(url: string): string {
	return canonicalUrl(url).replace(/\?.*/, '');
}
