import type { Family } from '../support/family';
import { ADDRESS_FAMILIES } from './addresses';
import { ENCODING_FAMILIES } from './encodings';
import { HEADER_FAMILIES } from './headers';
import { HTML_FAMILIES } from './html';
import { PARAMETER_FAMILIES } from './parameters';
import { ANSWER_FAMILIES, DELIVERY_FAMILIES, RECORD_FAMILIES } from './records';
import { REPLY_FAMILIES } from './replies';
import { REPORT_FAMILIES } from './reports';
import { SIGNATURE_FAMILIES } from './signatures';
import { STRUCTURE_FAMILIES } from './structures';
import { TNEF_FAMILIES } from './tnef';

/** What emails can hide in their bodies and headers, and services and deliveries anywhere. */
export const FAMILIES: readonly Family[] = [
	...HTML_FAMILIES,
	...STRUCTURE_FAMILIES,
	...TNEF_FAMILIES,
	...ENCODING_FAMILIES,
	...REPLY_FAMILIES,
	...REPORT_FAMILIES,
	...HEADER_FAMILIES,
	...ADDRESS_FAMILIES,
	...PARAMETER_FAMILIES,
	...SIGNATURE_FAMILIES,
	...RECORD_FAMILIES,
	...ANSWER_FAMILIES,
	...DELIVERY_FAMILIES,
];
