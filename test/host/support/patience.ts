import { setSafeRegexEngine } from 'n8n-workflow';

import {
	DELIVERY_MS,
	SAMPLE_MS,
	SUBSCRIPTION_MS,
} from '../../../nodes/EmailIdentity/trigger/times';

/** On a busy machine, a request to the same process can take seconds. Tests of a time limit set their own. */
const BUSY = 60;

DELIVERY_MS.request *= BUSY;
DELIVERY_MS.restrictionRequest *= BUSY;
DELIVERY_MS.verifying.timeout *= BUSY;
DELIVERY_MS.verifying.total *= BUSY;
SAMPLE_MS.request *= BUSY;
SUBSCRIPTION_MS.requests.total *= BUSY;
SUBSCRIPTION_MS.readingRequest.timeout *= BUSY;

/** n8n's own ends each expression after 250 ms by the clock. */
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) =>
		input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});
