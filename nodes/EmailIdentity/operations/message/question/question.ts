/** One argument of a tool call, as a person reads it. */
export interface ShownArgument {
	/** Without line breaks. */
	name: string;
	/** May have several lines. */
	value: string;
}

/** The tool call that a review tool asks about. */
export interface ToolCall {
	/** The name of the connected tool; absent if several are connected, because the agent's model could then name the wrong one. */
	tool?: string;
	/** All that the tool would run with. */
	parameters: ShownArgument[];
}

/** The labels of the buttons that answer. */
export interface Approval {
	kind: 'approval';
	approve: string;
	/** Absent if the question can only be approved. */
	decline?: string;
}

/** The labels around an answer in own words. */
export interface FreeText {
	kind: 'freeText';
	/** Of the button in the email. */
	open: string;
	/** Of the button of the page. */
	submit: string;
}

/** A question as it was mailed: every word that a person reads. */
export interface EmailQuestion {
	/** Without line breaks. */
	subject: string;
	/** Plain text. */
	message: string;
	/** Absent unless a review tool asks. */
	toolCall?: ToolCall;
	answer: Approval | FreeText;
	/** The page after the answer. */
	answeredText: string;
	/** The page of a link that no longer answers anything. */
	closedText: string;
}

/** What an answer says. */
export type GivenAnswer = { approved: boolean } | { text: string };
