export const dialectNames = ['contract', 'observed', 'fork'] as const;

export type DialectName = (typeof dialectNames)[number];

/** A value for each dialect. */
type Row<Value> = readonly [contract: Value, observed: Value, fork: Value];

/**
 * How the three known deployments behave, one column each: exactly as the contract says (details that it does not show were
 * chosen), Kurrier 3.5.0 as observed, and a fork of it according to its source.
 */
const SWITCHES = {
	/** Envelope, field names, times and error bodies (`styles.ts`). */
	style: ['contract', 'kurrier', 'kurrier'],
	/** The ID of an identity that is no UUID, also of one that should send. */
	malformedIdentityStatus: [404, 500, 403],
	/** The ID of a webhook that is no UUID. */
	malformedWebhookStatus: [404, 500, 500],
	/** An identity that is missing or another account's. */
	noIdentityStatus: [404, 403, 403],
	foreignWebhookStatus: [403, 404, 404],

	/** Whether webhooks have a number as their ID, which is given again after they were deleted. No known deployment does. */
	shortWebhookIds: [false, false, false] as Row<boolean>,
	/** Whether the list shows the webhooks of all users. No known deployment does. */
	sharesWebhooks: [false, false, false] as Row<boolean>,
	/** The observed service as installed answers 500; a repaired one answers this. */
	createStatus: [201, 200, 200] as Row<number>,
	/** `{id, deleted: true}` with 200, or nothing with 204. */
	deleteStatus: [204, 200, 200],
	/** Whether `ownerId` must be there and the caller's, or is ignored. */
	requiresOwner: [true, false, false],
	/** Whether a `url` that is none is refused. */
	checksUrl: [true, false, false],
	invalidBodyStatus: [422, 400, 400],
	/** PATCH with `{}`. */
	emptyPatchStatus: [400, 500, 500],
	/** POST or PATCH with another account's identity; 200 accepts it. */
	foreignRestrictionStatus: [403, 200, 403],
	/** POST or PATCH with an identity that does not exist. */
	missingRestrictionStatus: [403, 500, 403],
	/** Whether subscriptions keep the `identityId` of an identity that was deleted; otherwise it becomes null. */
	keepsRestriction: [true, false, false],

	/** `GET /messages/{id}`: the message as it is delivered, no such route, or a shape of its own. */
	messageRoutes: ['delivered', 'none', 'reading'],

	/** Routes of `POST /email`: none, `/email/send` alone, or `/email/reply` as well. */
	sending: ['none', 'send', 'reply'],

	/** Whether a domain with `incomingDomain` receives mail for addresses that are no identities. */
	domainsReceive: [true, false, false],
	/** Whether each recipient's copy begins with its own `Delivered-To` and `Received`. */
	stampsCopies: [false, true, true],
	/** Whether mail without Message-ID, and the same Message-ID twice in a mailbox, is dropped. */
	dropsRepeats: [false, true, true],

	/** The owners of the unrestricted subscriptions that get a message: the identity's owner, all users, or those who may read it. */
	deliversTo: ['owner', 'all', 'readers'],
	/** Whether messages are collected, then delivered one after another; otherwise at once and in parallel. */
	deliversInTurn: [false, true, false],
	/** A delivery is given up after this time; only the fork is known to do so. */
	deliveryTimeoutMs: [120_000, 120_000, 15_000] as Row<number>,
	followsRedirects: [true, true, false],
	deliveryHeaders: [
		{ 'content-type': 'application/json', 'user-agent': 'email-service' },
		{ 'content-type': 'text/plain;charset=UTF-8', 'user-agent': 'node' },
		{
			'content-type': 'application/json',
			'user-agent': 'Kurrier-Webhooks',
			'x-kurrier-event': 'message.received',
		},
	],
} as const satisfies Record<string, Row<unknown>>;

type Switches = {
	-readonly [Switch in keyof typeof SWITCHES]: (typeof SWITCHES)[Switch][number];
};

export type Dialect = Switches & { name: DialectName };

function column(name: DialectName): Dialect {
	const index = dialectNames.indexOf(name);
	const entries = Object.entries(SWITCHES).map(([key, values]) => [key, values[index]]);
	return { name, ...(Object.fromEntries(entries) as Switches) };
}

export const dialects: Readonly<Record<DialectName, Dialect>> = {
	contract: column('contract'),
	observed: column('observed'),
	fork: column('fork'),
};
