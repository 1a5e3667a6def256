import type { IHookFunctions } from 'n8n-workflow';
import { readSubscriptionParameters, type SubscriptionParameters } from '../parameters';
import type { ReceivingIdentity } from '../restriction';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import { Checks } from './checks';
import { nodeKey, type Endpoint } from './endpoint';

/** What is remembered of an active node while n8n runs, for the check at intervals. */
export interface Watch {
	endpoint: Endpoint;
	parameters: SubscriptionParameters;
	stored: StoredSubscription | undefined;
	/** The one that is received for, as the last look that found it showed it; undefined for all, and where it is gone. */
	identity: ReceivingIdentity | undefined;
	/** Whether n8n's log says that the identity is gone. */
	isGoneTold: boolean;
	checks: Checks;
}

/** The active nodes of this process. */
export class Watches {
	private readonly byNode = new Map<string, Watch>();

	/** Begins to remember a node; it is not kept yet. */
	begin(context: IHookFunctions, endpoint: Endpoint, now: number): Watch {
		const parameters = readSubscriptionParameters(context);
		return {
			endpoint,
			parameters,
			stored: triggerStaticData(context).subscription,
			identity: undefined,
			isGoneTold: false,
			checks: new Checks(parameters.checkEvery, now),
		};
	}

	keep(watch: Watch): void {
		this.byNode.set(nodeKey(watch.endpoint), watch);
	}

	/** @param key see `nodeKey` */
	of(key: string): Watch | undefined {
		return this.byNode.get(key);
	}

	/** No check begins after this. Test events have another address, and leave the watch alone. */
	end(endpoint: Endpoint): void {
		const key = nodeKey(endpoint);
		if (this.byNode.get(key)?.endpoint.address === endpoint.address) this.byNode.delete(key);
	}
}
