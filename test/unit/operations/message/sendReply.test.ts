import type { INode } from 'n8n-workflow';

import { Cache } from '../../../../lib/basics';
import type { OutgoingEmail } from '../../../../nodes/EmailIdentity/api/data/emailRequest';
import {
	serviceError,
	type ServiceFailure,
} from '../../../../nodes/EmailIdentity/api/failures/errors';
import type { Item } from '../../../../nodes/EmailIdentity/operations/operation';
import { sendReply } from '../../../../nodes/EmailIdentity/operations/message/sendReply';

const NODE = { name: 'Reply' } as INode;

const EMAIL: OutgoingEmail = {
	identityId: 'i-1',
	to: 'ada@example.org',
	subject: 'Re: Order 17',
	text: 'Tomorrow',
	attachments: [],
};

let asked: string[];
let emails: OutgoingEmail[];

beforeEach(() => {
	asked = [];
	emails = [];
});

const refusing = (facts: Partial<ServiceFailure>) =>
	serviceError(
		NODE,
		{ method: 'POST', path: '/email/reply', resource: 'email' },
		{ message: 'Failed', description: '', mayHaveActed: false, status: 404, ...facts },
	);

const WITHOUT_ROUTE = refusing({ isRouteMissing: true });

/** An item of a run; items with one cache are of the same run. */
function itemOf({ failure, cache = new Cache() }: { failure?: Error; cache?: Cache } = {}): Item {
	const accept = async (route: string, email: OutgoingEmail) => {
		asked.push(route);
		if (route !== 'send' && failure !== undefined) throw failure;
		emails.push(email);
		return await Promise.resolve({ messageId: 'm-1' });
	};
	const service: Partial<Item['service']> = {
		replyToMessage: async (id, email) => await accept(`reply to ${id}`, email),
		sendEmail: async (email) => await accept('send', email),
	};
	return { service, cache, context: { getNode: () => NODE } } as unknown as Item;
}

const sent = async (email: Partial<OutgoingEmail>) => {
	await sendReply(itemOf(), '17', { ...EMAIL, ...email });
	const { text, html } = emails.at(-1)!;
	return { text, html };
};

test('a reply goes to the email that is answered, and is in its conversation', async () => {
	const { inConversation } = await sendReply(itemOf(), '17', EMAIL);
	expect({ inConversation, asked }).toEqual({ inConversation: true, asked: ['reply to 17'] });
});

test('in a service without a route for replies, only the first item of a run asks for it', async () => {
	const item = itemOf({ failure: WITHOUT_ROUTE });
	const results = [await sendReply(item, '17', EMAIL), await sendReply(item, '18', EMAIL)];
	expect(results.map(({ inConversation }) => inConversation)).toEqual([false, false]);
	expect(asked).toEqual(['reply to 17', 'send', 'send']);
});

test('behind an email without an ID, which gets a new email, the next reply is one again', async () => {
	const item = itemOf();
	const first = await sendReply(item, null, EMAIL);
	const second = await sendReply(item, '17', EMAIL);
	expect([first.inConversation, second.inConversation]).toEqual([false, true]);
	expect(asked).toEqual(['send', 'reply to 17']);
});

test('a reply that failed for any other reason is not sent as a new email', async () => {
	const item = itemOf({ failure: refusing({}) });
	await expect(sendReply(item, '17', EMAIL)).rejects.toThrow('Failed');
	expect(asked).toEqual(['reply to 17']);
});

test('without a subject, a reply is sent, because the service makes one, but no new email', async () => {
	const email = { ...EMAIL, subject: '' };
	await sendReply(itemOf(), '17', email);
	await expect(sendReply(itemOf({ failure: WITHOUT_ROUTE }), '17', email)).rejects.toThrow(
		"'Subject' is empty",
	);
	expect(asked).toEqual(['reply to 17', 'reply to 17']);
});

test('a text gets HTML with the same lines and blanks, and without a tag of its own', async () => {
	const text = 'Salt & <b>\r\n  two  blanks\rthree\n\n&lt;';
	expect(await sent({ text })).toEqual({
		text,
		html: '<div>Salt &amp; &lt;b&gt;<br>\n &nbsp;two &nbsp;blanks<br>\nthree<br>\n<br>\n&amp;lt;</div>',
	});
});

test('HTML alone gets its words as text; an email with both stays as it is', async () => {
	const html = '<p>Thank <b>you</b></p>';
	expect(await sent({ text: undefined, html })).toEqual({ text: 'Thank you', html });
	expect(await sent({ text: 'Other words', html })).toEqual({ text: 'Other words', html });
});
