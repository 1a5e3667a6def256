import type { IDataObject } from 'n8n-workflow';

import type { CheckedSender } from '../../shared/reading/authenticateSender';
import type { MessageWithEmail } from '../../shared/reading/messageWithEmail';
import type { SecretScope } from '../../shared/secret';
import type { DeliveryParameters } from '../settings/settings';
import type { StoredSubscription } from '../staticData';
import type { DeliveryHost } from './deliveryHost';
import type { MessageClaim, MessageClaims } from './memory/messageClaims';
import type { Ignored, Refused } from './outcomes';

/** A delivery as n8n hands it over. Nothing of it is believed. */
export interface Arrived {
	scope: SecretScope;
	workflowId: string;
	/** See `monotonicNow`. */
	arrivedAt: number;
	/** Undefined if the query has none. */
	secret: string | undefined;
	/** The subscription that this n8n made for this address; undefined if none was stored. */
	stored: StoredSubscription | undefined;
	/** The messages in static data that started the workflow; anything, if the workflow was imported. */
	seen: unknown;
	/** Resolves when the connection is closed: with n8n's status, or undefined if the sender hung up before. */
	closed: Promise<number | undefined>;
}

/** A delivery with the right secret; its email is not checked yet. Only now are the body read and expressions evaluated. */
export interface Authenticated extends Arrived {
	secret: string;
	/** JSON. */
	body: unknown;
	parameters: DeliveryParameters;
}

/** A delivery of a message, with what the steps found. */
export interface ParsedDelivery extends Omit<Authenticated, 'body'> {
	/** These three as the service delivered them (contract, section 6). */
	event: string;
	data: IDataObject;
	delivered: MessageWithEmail;
	/** The email for the workflow: with Verify With the API, the service's own copy; with Sender Check, what was signed. */
	email: MessageWithEmail;
	/** The address that the subscription is restricted to; absent for all identities and for a domain. */
	restrictedTo?: string;
	/** Absent if Sender Check is off, and before it. */
	sender?: CheckedSender;
	/** Absent if duplicates are not ignored. */
	deduplication?: Deduplication;
}

/** The message of a delivery among those that started the workflow. */
export interface Deduplication {
	messages: MessageClaims;
	/** See `keysOf`. */
	keys: string[];
	/** Absent before this delivery has the right to start the workflow. */
	claim?: MessageClaim;
}

/** Returns why the email does not start the workflow, or the delivery with what it found. Never throws because of its content. */
export type Step = (
	delivery: ParsedDelivery,
	host: DeliveryHost,
) => Promise<Ignored | ParsedDelivery | Refused>;
