/** All time budgets of a delivery, in milliseconds. The DNS has its own, see `LIMITS_OF_AN_EMAIL` in `lib/dns/`. */
export const DELIVERY_MS = {
	/** A request to the service: the sender waits meanwhile, and on some services every user's mail behind it. */
	request: 2_000,
	restrictionRequest: 10_000,
	/** The requests of Verify With the API. */
	verifying: { attempts: 3, total: 8_000, timeout: 5_000 },
	/** How long the restriction that was seen counts without asking again. */
	restrictionFresh: 30_000,
	/** For a message whose sender hung up before n8n answered. */
	doubt: 60_000,
	/** Robots answer each other within seconds or minutes. */
	loop: 3_600_000,
	/** Between two log lines about something that only a person can change. */
	warning: 3_600_000,
};

/** For when n8n stops (SIGTERM). Docker ends a container ten seconds after the signal. */
export const STOP_MS = {
	/** How long all open deliveries are waited for. The rest of the ten seconds is for the executions that they start. */
	deliveries: 7_000,
	/** For n8n to record the executions of deliveries that it answered. */
	recording: 500,
	/** Between two checks whether n8n unpublishes the workflow instead. */
	check: 100,
	/** n8n ends its process after 30 seconds. If it still runs, it did not stop: another main process became the leader. */
	processEnds: 60_000,
};

export const SAMPLE_MS = {
	request: 5_000,
	/** n8n registers its test URL again after `create`: the email must not arrive before that. */
	untilN8nListens: 1_000,
};

/** All time budgets of publishing, listening, unpublishing and checks, in milliseconds. */
export const SUBSCRIPTION_MS = {
	/**
	 * All requests of one attempt to publish. n8n 2.x makes five attempts, calls `delete` after each, pauses for 15 seconds
	 * between them, and gives up with an error of its own after 60 seconds (`workflows/publication/`).
	 */
	publish: 5_800,
	/** All requests of `delete` after the first attempt that failed; n8n 1.x makes only one. */
	firstCleanUp: 4_000,
	/** The same after each later attempt. */
	laterCleanUp: 1_000,
	/** How long n8n may repeat one publication: what an attempt learned counts for the next ones. */
	publication: 60_000,
	/** All requests of a start, a check or an unpublishing. */
	other: 10_000,
	requests: { attempts: 4, total: 5_000, firstDelay: 300, maxDelay: 3_000 },
	/** The request that shows whether the key may read messages. */
	readingRequest: { attempts: 1, timeout: 2_000 },
	/** Between two calls of n8n's scheduler, which decide whether a check is due. */
	tick: 60_000,
	/** How long n8n listens for a test event (`TEST_WEBHOOK_TIMEOUT` in its `constants.js`). */
	listening: 120_000,
	/** How far the clocks of the processes of one n8n may differ. */
	clocks: 180_000,
	/** Between two failed executions for a failure that passes and comes back. */
	reports: 86_400_000,
	/** How long triggers share a list of webhooks when n8n starts, and for checks. */
	sharedList: 5_000,
	/** How long the restriction that was seen last counts if the service cannot be asked. */
	restrictionRecent: 3_600_000,
};
