import { failedFilters, wantedFiles } from '../filters';
import { ignore } from './outcomes';
import type { Step } from './stages';

export const filtered: Step = async (letter) => {
	const failed = await failedFilters(letter.email, letter.parameters);
	const shown = failed.find(({ warning }) => warning !== undefined) ?? failed[0];
	return shown ? ignore('filtered', shown) : letter;
};

/** An email that was not parsed starts the workflow with a warning: nobody knows its files. */
export const withoutItems: Step = async (letter) => {
	const { email, parameters } = letter;
	if (parameters.output === 'email') return letter;
	const opened = await email.open();
	const isParsed = opened.shape !== undefined;
	const files = await opened.listFiles();
	const hasItems = files.some(wantedFiles(parameters) ?? (() => true));
	return hasItems || !isParsed ? letter : ignore('noAttachment');
};
