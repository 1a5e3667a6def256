import { startOtherServer } from './otherServer';

interface ChatRequest {
	messages: { role: string; content?: unknown }[];
	tools?: { function: { name: string } }[];
}

/** A stand-in for a language model behind OpenAI's chat API. */
export interface LanguageModel {
	baseUrl: string;
	/** of the users */
	questions: string[];
	toolResults: string[];
	/** the names of the tools that it could have called */
	offeredTools: string[];
	stop(): Promise<void>;
}

/**
 * Starts a model that calls tools, then answers.
 *
 * @param tool matches the names of the tools
 * @param given the arguments of each call of a tool, also those that the tool does not ask for; all calls are in one response
 */
export async function startLanguageModel(
	tool: RegExp,
	answer: string,
	...given: object[]
): Promise<LanguageModel> {
	const all = given.length > 0 ? given : [{}];
	const questions: string[] = [];
	const toolResults: string[] = [];
	const offeredTools: string[] = [];
	const { url, stop } = await startOtherServer(({ body }) => {
		const { messages, tools = [] } = JSON.parse(body) as ChatRequest;
		const said = (by: string) =>
			messages.filter(({ role }) => role === by).map(({ content }) => String(content));
		const results = said('tool');
		questions.push(...said('user'));
		toolResults.push(...results);
		offeredTools.push(...tools.map((known) => known.function.name));
		const names = tools.map((known) => known.function.name).filter((known) => tool.test(known));
		const calls = results.length === 0 ? names : [];
		const message =
			calls.length > 0
				? {
						content: null,
						tool_calls: calls.flatMap((name) =>
							all.map((args, index) => toolCall(name, args, index)),
						),
					}
				: { content: answer };
		return {
			id: 'completion',
			object: 'chat.completion',
			created: 0,
			model: 'stand-in',
			choices: [
				{
					index: 0,
					message: { role: 'assistant', ...message },
					finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	return { baseUrl: `${url}/v1`, questions, toolResults, offeredTools, stop };
}

function toolCall(name: string, args: object, index: number) {
	return {
		id: `${name}-${index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(args) },
	};
}
