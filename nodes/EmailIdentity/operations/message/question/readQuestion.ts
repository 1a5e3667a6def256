import { NodeOperationError } from 'n8n-workflow';

import type { Item } from '../../operation';
import { readTextField } from '../../../shared/fields';
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
