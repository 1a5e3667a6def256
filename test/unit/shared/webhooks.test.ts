import type { Webhook } from '../../../nodes/EmailIdentity/api/data/resources';
import { webhookDiff } from '../../../nodes/EmailIdentity/shared/webhooks';

const shown: Webhook = {
	id: 'a',
	url: 'https://receiver.example/hook?a=1&b=2',
	events: ['message.received', 'message.sent'],
	enabled: true,
	identityId: '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11',
	workspaceId: null,
	ownerId: 'user',
	description: null,
	createdAt: null,
	updatedAt: null,
};

it.each([
	{},
	{ url: 'HTTPS://Receiver.Example:443/%68ook?b=2&a=1' },
	{ events: ['Message.Sent', 'message.received', 'message.sent'] },
	{ identityId: '1F0C8A52-6C0E-4F0B-9D5E-2A4F7C3B9E11' },
	{ description: '' },
	{ enabled: true },
])('%j is the same already', (desired) => {
	expect(webhookDiff(shown, desired)).toEqual({});
});

it.each([
	{ url: 'https://receiver.example/Hook?a=1&b=2' },
	{ url: 'https://receiver.example/hook/?a=1&b=2' },
	{ url: 'https://receiver.example/hook?a=1' },
	{ events: [] },
	{ identityId: null },
	{ description: 'mine' },
	{ enabled: false },
])('%j differs, and is the change', (desired) => {
	expect(webhookDiff(shown, { enabled: true, ...desired })).toEqual(desired);
});

it('an unknown state of a webhook differs from any wanted one', () => {
	const unknown = { ...shown, enabled: null };
	expect(webhookDiff(unknown, { enabled: true })).toEqual({ enabled: true });
	expect(webhookDiff(unknown, { enabled: false })).toEqual({ enabled: false });
});
