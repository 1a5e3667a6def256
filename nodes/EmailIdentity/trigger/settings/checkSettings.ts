import type { INode, INodeProperties } from 'n8n-workflow';

import { isObject } from '../../api/data/json';
import { readFlag } from '../../api/data/resources';
import { senderCheckProblem } from '../../shared/reading/authenticateSender';
import { ADDRESS_AS_ID, isAddressAsId } from '../../shared/editor/locators';
import { readCommonParameters } from './collections';
import { filterEntries, hasOpenQuotation } from './entries';
import { addedFilters } from './filters';
import { readDeliveryParameters, triggerParameters } from './parameters';
import type { DeliveryParameters, Filters, ParameterContext } from './settings';

/** A hook's context, which also shows what was entered before expressions were evaluated. */
export interface HookParameters extends ParameterContext {
	getNode(): Pick<INode, 'parameters'>;
}

const NO_IDENTITY =
	"No identity is selected. Choose one under 'Identity', or set 'Receive For' to All Identities.";

const NO_RESULT =
	"'Sender Check' is set to Add Result, which only the simplified output contains. Turn on 'Simplify', or set 'Sender Check' to Off or Require.";

const NO_FILES =
	"'Output' is set to One Item per Attachment, but 'Download Attachments' is off, so no item would have a file. Change one of them.";

/** Why publishing and listening are refused: no email can start the workflow, or a setting has no effect or no valid value. */
export function settingsProblem(context: HookParameters): string | undefined {
	const invalid = valueProblem(context, triggerParameters);
	if (invalid !== undefined) return invalid;
	const parameters = readDeliveryParameters(context);
	return (
		identityProblem(context, parameters) ??
		filterProblem(parameters.filters, parameters, (name) => isFilterExpression(context, name)) ??
		outputProblem(parameters) ??
		checkProblem(context, parameters)
	);
}

function identityProblem(
	context: ParameterContext,
	{ identityId }: DeliveryParameters,
): string | undefined {
	if (identityId === null) return undefined;
	if (identityId === '') return NO_IDENTITY;
	const isAddress = isAddressAsId(context.getNodeParameter('identityId', ''));
	return isAddress ? `${ADDRESS_AS_ID}.` : undefined;
}

function outputProblem({ output, downloadAttachments }: DeliveryParameters): string | undefined {
	const needsFiles = output === 'attachment';
	return needsFiles && !downloadAttachments ? NO_FILES : undefined;
}

function checkProblem(
	context: ParameterContext,
	parameters: DeliveryParameters,
): string | undefined {
	// The choice itself, also where it has no effect.
	const { senderCheck } = readCommonParameters(context);
	if (senderCheck === 'off') return undefined;
	const problem = senderCheckProblem(parameters);
	if (problem !== undefined) return problem;
	const hasNoResult = senderCheck === 'add' && !parameters.simplify;
	return hasNoResult ? NO_RESULT : undefined;
}

interface ValueRule {
	isValid(value: unknown): boolean;
	/** In words that follow "must be". */
	must: string;
	/** A valid value, for a setting that was not added or is hidden. */
	fallback: unknown;
}

/** n8n does not convert the values of expressions. */
const VALUE_RULES: Record<string, ValueRule> = {
	string: { isValid: isTextOrList, must: 'a text', fallback: '' },
	boolean: { isValid: (value) => readFlag(value) !== null, must: 'true or false', fallback: false },
	number: { isValid: isNumber, must: 'a number', fallback: 0 },
};

/** A filter may be a list of texts. */
function isTextOrList(value: unknown): boolean {
	return [value].flat().every((entry) => typeof entry !== 'object' || entry === null);
}

function isNumber(value: unknown): boolean {
	const isEmpty = String(value ?? '').trim() === '';
	return !isEmpty && Number.isFinite(Number(value));
}

function valueProblem(
	context: ParameterContext,
	fields: INodeProperties[],
	path = '',
): string | undefined {
	for (const { name, displayName, type, options } of fields) {
		if (type === 'collection') {
			const problem = valueProblem(context, options as INodeProperties[], `${name}.`);
			if (problem !== undefined) return problem;
		}
		const rule = VALUE_RULES[type];
		if (rule === undefined) continue;
		const value = context.getNodeParameter(path + name, rule.fallback);
		if (rule.isValid(value)) continue;
		return `'${displayName}' must be ${rule.must}. Set it to a fixed value, or check its expression.`;
	}
	return undefined;
}

function isFilterExpression(context: HookParameters, name: keyof Filters): boolean {
	const entered: unknown = context.getNode().parameters.filters;
	return isObject(entered) && String(entered[name]).startsWith('=');
}

/** Why no email can pass the filters, as a sentence. */
export function filterProblem(
	filters: Filters,
	{ output, senderCheck }: Partial<Pick<DeliveryParameters, 'output' | 'senderCheck'>> = {},
	isExpression: (name: keyof Filters) => boolean = () => false,
): string | undefined {
	const needed = whatNeedsFiles(filters, output);
	if (needed !== undefined && filters.hasAttachments === false) {
		return `The filter 'Has Attachments' is off, but ${needed} needs attachments. Change one of them.`;
	}
	for (const { name, label, value, isEmpty, check } of addedFilters(filters)) {
		if (typeof value === 'boolean') continue;
		if (isEmpty && isExpression(name)) {
			return `The expression of the filter '${label}' gives no value. Check it, or remove the filter.`;
		}
		if (isEmpty) return `The filter '${label}' is empty. Enter a value or remove the filter.`;
		const fault = `The filter '${label}' can never match:`;
		if (hasOpenQuotation(value)) return `${fault} a closing quotation mark is missing.`;
		const surroundings = { list: value, filters, isProofRequired: senderCheck === 'require' };
		for (const entry of filterEntries(value)) {
			const problem = check.problem?.(entry, surroundings);
			if (problem === undefined) continue;
			return `${fault} "${entry.text.slice(0, 100)}" ${problem}.`;
		}
	}
	return undefined;
}

function whatNeedsFiles(
	filters: Filters,
	output: DeliveryParameters['output'] | undefined,
): string | undefined {
	if (filters.attachments !== undefined) return "the filter 'Attachments'";
	if (output === 'attachment') return "'Output' set to One Item per Attachment";
	return undefined;
}
