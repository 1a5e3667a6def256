import type { INodeProperties } from 'n8n-workflow';

/**
 * Asks for the check of the sender, in the trigger and in Message Get.
 *
 * @param place what differs from place to place: when it is shown
 */
export const checkSenderField = (place: Partial<INodeProperties>): INodeProperties => ({
	displayName: 'Check Sender',
	name: 'checkSender',
	type: 'boolean',
	default: false,
	description:
		'Whether to find out if the email really comes from the domain in its From, by its signature (DKIM), and add the result as delivery.authentication',
	hint: 'Anybody can write any From. The DNS is asked for the keys of senders.',
	...place,
});

/** Whose word counts beside it; see {@link checkSenderField}. */
export const trustedServersField = (place: Partial<INodeProperties>): INodeProperties => ({
	displayName: 'Trusted Mail Servers',
	name: 'trustedServers',
	type: 'string',
	default: '',
	placeholder: 'e.g. mx.example.com',
	description:
		'Mail servers whose word on the sender is believed, too: the names with which they begin their Authentication-Results header, separated by commas',
	hint: 'Only servers of your own that remove such headers from what strangers send, and that all of your mail passes last.',
	...place,
});
