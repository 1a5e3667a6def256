import type { Dialect } from '../dialects/dialect';
import type { FaultRules } from '../faults/rules';
import type { Flow } from '../faults/flow';
import type { Oddities } from '../oddities';
import type { Recording } from '../recordings/recording';
import type { Store } from '../store/store';
import type { Paging, RequestRecord } from '../types';

/** What the HTTP API works with; outlives the server, which can go down and come back. */
export interface Environment {
	store: Store;
	/** Its switches may change at any time. */
	dialect: Dialect;
	paging: Paging;
	faults: FaultRules;
	flow: Flow;
	oddities: Oddities;
	requests: Recording<RequestRecord>;
	/** For example `/api`. */
	pathPrefix: string;
}
