import * as identity from './identity';
import * as message from './message';
import type { Operations } from './operation';
import * as user from './user';
import * as webhook from './webhook';

/** What the node can do: the operations of each resource, by its value in the Resource drop-down. */
export const resources: Record<string, Operations> = {
	identity: identity.operations,
	message: message.operations,
	user: user.operations,
	webhook: webhook.operations,
};
