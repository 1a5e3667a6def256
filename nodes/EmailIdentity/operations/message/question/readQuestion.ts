import { NodeOperationError, WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { wallClockNow } from '../../../../../lib/basics';
import type { Item } from '../../operation';
import { readTextField } from '../../../shared/editor/fields';
import { readSubjectLine, requireSubject } from '../emailContent';
import { DEFAULT_WORDS } from './questionFields';
import type { Approval, FreeText, EmailQuestion } from './question';
import { isReviewTool, readToolCall, withoutObjectText } from './toolCall';

/**
 * Reads the question of an item from its fields.
 *
 * @throws NodeOperationError if a field is missing or invalid
 */
export function readQuestion(item: Item): EmailQuestion {
	const { parameter } = item;
	const subject = readSubjectLine(item, parameter('subject', ''));
	requireSubject(item, subject);
	const question: EmailQuestion = {
		subject,
		message: readTextField(item, 'Message', parameter('message', '')).trim(),
		answer: readAnswerFields(item),
		answeredText: readWord(item, 'options.answeredText'),
		closedText: readWord(item, 'options.closedText'),
	};
	if (isReviewTool(item)) {
		question.message = withoutObjectText(question.message);
		question.toolCall = readToolCall(item);
	}
	if (question.message !== '') return question;
	throw new NodeOperationError(item.context.getNode(), "'Message' is empty", {
		description: 'Enter the question.',
	});
}

function readAnswerFields(item: Item): Approval | FreeText {
	const kind = item.parameter('responseType', 'approval');
	if (kind === 'approval') return readApproval(item);
	if (kind === 'freeText') {
		return {
			kind,
			open: readWord(item, 'options.messageButtonLabel'),
			submit: readWord(item, 'options.responseFormButtonLabel'),
		};
	}
	throw new NodeOperationError(item.context.getNode(), "Unknown value for 'Response Type'", {
		description: 'Use approval or freeText.',
	});
}

function readApproval(item: Item): Approval {
	const values = 'approvalOptions.values';
	const approval: Approval = {
		kind: 'approval',
		approve: readWord(item, `${values}.approveLabel`),
	};
	const type = item.parameter(`${values}.approvalType`, 'double');
	if (type !== 'single') approval.decline = readWord(item, `${values}.disapproveLabel`);
	return approval;
}

/** An empty field has its default, because a button needs words. */
function readWord(item: Item, path: string): string {
	const name = path.split('.').at(-1) ?? '';
	const text = readTextField(item, name, item.parameter(path, '')).trim();
	if (text !== '') return text;
	return DEFAULT_WORDS.get(name) ?? '';
}

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
	if (limitType === 'atSpecifiedTime') {
		// An expression can say it in milliseconds, as for n8n's own nodes.
		return typeof maxDateAndTime === 'number'
			? maxDateAndTime
			: new Date(String(maxDateAndTime)).getTime();
	}
	const unit = UNITS[String(resumeUnit ?? 'hours')] ?? Number.NaN;
	return wallClockNow() + Number(resumeAmount ?? 1) * unit;
}
