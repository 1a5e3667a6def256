import type { HostFact } from '../hostFact';
import { DELIVERY_FACTS } from './deliveries';
import { EDITOR_FACTS } from './editor';
import { LIFECYCLE_FACTS } from './lifecycle';
import { LISTENING_FACTS } from './listening';
import { PACKAGE_FACTS } from './packages';
import { REQUEST_FACTS } from './requests';

/** Every statement about n8n that the code leans on and that a run can judge, in the order in which they are tried. */
export const HOST_FACTS: HostFact[] = [
	...PACKAGE_FACTS,
	...LIFECYCLE_FACTS,
	...LISTENING_FACTS,
	...DELIVERY_FACTS,
	...REQUEST_FACTS,
	...EDITOR_FACTS,
];
