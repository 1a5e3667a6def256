import {
	answeringService,
	answerTo,
	checking,
	emailWith,
	failure,
	SCOPE,
	STORED,
	type Told,
} from './support/requests';

const IDENTITY = { id: 'i-domain', value: 'example.test', isDomain: true };

/** Of someone else in the workspace, and to another identity of the account. */
const OTHERS_MAIL: Record<string, Told> = {
	otherAccount: {
		message: { ownerId: 'owner-2', workspaceId: 'workspace-1', deliveredTo: null },
		service: answeringService({ message: failure(404), identities: [] }).service,
	},
	otherIdentity: {
		parameters: { identityId: IDENTITY.id },
		message: { deliveredTo: 'boss@elsewhere.example' },
		stored: { ...STORED, identity: IDENTITY },
	},
};

const FILTERED: Record<string, Told> = {
	'does not match a filter': { parameters: { filters: { subject: 'invoice' } } },
	'has no attachment': { parameters: { output: 'attachment' } },
	'does not pass Sender Check': {
		parameters: { senderCheck: 'require' },
		authenticateSender: checking('fail', 'example.com'),
	},
};

const CASES = Object.entries(OTHERS_MAIL).flatMap(([reason, mail]) =>
	Object.entries(FILTERED).map(([what, filter]) => ({ reason, mail, what, filter })),
);

test.each(CASES)(
	'mail that is $reason and $what is not checked further',
	async ({ reason, mail, filter }) => {
		const answer = await answerTo({
			rawEmail: emailWith('From: boss@example.test'),
			...mail,
			...filter,
			scope: { ...SCOPE, listening: 'test' },
			parameters: { ...mail.parameters, ...filter.parameters },
		});
		expect(answer).toMatchObject({ outcome: 'ignored', reason });
	},
);
