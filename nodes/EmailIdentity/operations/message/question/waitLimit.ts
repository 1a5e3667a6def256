import { NodeOperationError, WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { wallClockNow } from '../../../../../lib/basics';
import type { Item } from '../../operation';

const MINUTE = 60_000;

const UNITS: Readonly<Record<string, number>> = {
	minutes: MINUTE,
	hours: 60 * MINUTE,
	days: 24 * 60 * MINUTE,
};

/**
 * When the workflow continues without an answer.
 *
 * @throws NodeOperationError if the limit is no time in the future
 */
export function readWaitLimit({ context, parameter }: Item): Date {
	const limit = parameter('options.limitWaitTime.values', {}) as IDataObject;
	if (Object.keys(limit).length === 0) return WAIT_INDEFINITELY;
	const end = endOf(limit);
	if (end > wallClockNow() && !Number.isNaN(new Date(end).getTime())) return new Date(end);
	throw new NodeOperationError(context.getNode(), "'Limit Wait Time' is not in the future", {
		description:
			'Enter an amount above 0 or a later date, or remove the option to wait without a limit.',
	});
}

/** @returns milliseconds since 1970; NaN if the limit says no time */
function endOf({ limitType, maxDateAndTime, resumeAmount, resumeUnit }: IDataObject): number {
	if (limitType === 'atSpecifiedTime') return new Date(String(maxDateAndTime)).getTime();
	const unit = UNITS[String(resumeUnit ?? 'hours')] ?? Number.NaN;
	return wallClockNow() + Number(resumeAmount ?? 1) * unit;
}
