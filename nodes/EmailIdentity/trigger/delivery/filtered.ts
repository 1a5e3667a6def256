import { failedFilters, wantedFiles } from '../filters';
import { ignore } from './outcomes';
import type { Step } from './stages';

export const filtered: Step = async (letter) => {
	const failed = await failedFilters(letter.email, letter.parameters);
	const shown = failed.find(({ warning }) => warning !== undefined) ?? failed[0];
	return shown ? ignore('filtered', shown) : letter;
};

/** An email whose files are unknown starts the workflow with a warning. */
export const withoutItems: Step = async (letter) => {
	const { email, parameters } = letter;
	if (parameters.output === 'email') return letter;
	const files = await (await email.open()).listFiles();
	const hasItems = files?.some(wantedFiles(parameters) ?? (() => true)) ?? true;
	return hasItems ? letter : ignore('noAttachment');
};
