import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { readSwitch } from '../shared/switches';
import type { Filters, Options } from './options';

type SwitchesOf<Fields> = keyof {
	[Field in keyof Fields as Fields[Field] extends boolean ? Field : never]: true;
} &
	string;

type Path =
	| 'downloadAttachments'
	| 'simplify'
	| `filters.${SwitchesOf<Required<Filters>>}`
	| `options.${SwitchesOf<Options>}`;

/** The switches of the trigger by where n8n finds them, with their labels. One that is missing does not compile. */
const SWITCHES: Record<Path, string> = {
	simplify: 'Simplify',
	downloadAttachments: 'Download Attachments',
	'filters.hasAttachments': 'Has Attachments',
	'filters.onlyAuthenticated': 'Only Authenticated Senders',
	'options.checkSender': 'Check Sender',
	'options.includeHeaders': 'Include Headers',
	'options.includeRawEmail': 'Include Raw Email',
	'options.removeQuotedText': 'Remove Quoted Text',
	'options.useSampleEmail': 'Use Sample Email',
	'options.verify': 'Verify With the API',
};

/**
 * For whoever publishes or tests the workflow. What an expression gives later on costs no email: see `readOptions`.
 *
 * @throws NodeOperationError when an expression gives neither yes nor no in the place of a switch
 */
export function checkSwitches(context: IHookFunctions | ITriggerFunctions): void {
	for (const [path, label] of Object.entries(SWITCHES)) {
		// What was not added, or is not shown, has no value.
		readSwitch(context.getNode(), label, context.getNodeParameter(path, false));
	}
}
