import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readSwitch } from '../shared/editor/fields';
import type { Severity } from './findings';
import type { Item } from './operation';

/**
 * The field Options of an audit.
 *
 * @param results such as `identities`
 * @param defaultSeverity the default of Minimum Severity
 * @param others options of this audit alone
 */
export function auditOptionsField(
	results: string,
	defaultSeverity: Severity,
	others: INodeProperties[] = [],
): INodeProperties {
	const minimumSeverity: INodeProperties = {
		displayName: 'Minimum Severity',
		name: 'minimumSeverity',
		type: 'options',
		options: [
			{ name: 'Error', value: 'error', description: 'Only errors' },
			{ name: 'Info', value: 'info', description: 'Errors, warnings and notes' },
			{ name: 'Warning', value: 'warning', description: 'Errors and possible problems' },
		],
		default: defaultSeverity,
		description: 'The least severe findings to report',
	};
	const onlyWithFindings: INodeProperties = {
		displayName: 'Only With Findings',
		name: 'onlyWithFindings',
		type: 'boolean',
		default: true,
		description: `Whether to return only ${results} with findings`,
		hint: 'For scheduled audits: without findings, the workflow ends here',
	};
	const options = [...others, minimumSeverity, onlyWithFindings];
	return {
		displayName: 'Options',
		name: 'auditOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		// Without ICU, which takes milliseconds to load at each start of n8n.
		options: options.toSorted((a, b) => (a.displayName < b.displayName ? -1 : 1)),
	};
}

/** The options of all audits. */
export interface ReportOptions {
	/** Less severe findings are left out. */
	minimumSeverity: Severity;
	/** Whether results without findings are left out. */
	onlyWithFindings: boolean;
}

/** @throws NodeOperationError if Only With Findings is neither true nor false */
export function readReportOptions(item: Item, defaultSeverity: Severity): ReportOptions {
	const options = item.parameter('auditOptions', {}) as IDataObject;
	const { minimumSeverity = defaultSeverity, onlyWithFindings = false } = options;
	return {
		minimumSeverity: minimumSeverity as Severity,
		onlyWithFindings: readSwitch(item, 'Only With Findings', onlyWithFindings),
	};
}
