import { APPLE } from './apple';
import { GMAIL } from './gmail';
import { OTHERS } from './others';
import { OUTLOOK } from './outlook';
import { THUNDERBIRD } from './thunderbird';
import type { Reply } from './types';

export type { Reply } from './types';

export const REPLIES: readonly Reply[] = [
	...GMAIL,
	...OUTLOOK,
	...APPLE,
	...THUNDERBIRD,
	...OTHERS,
];
