import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatRequest {
	messages: { role: string; content?: unknown }[];
	tools?: { function: { name: string } }[];
}

/** A stand-in for a language model behind OpenAI's chat API. */
export interface LanguageModel {
	baseUrl: string;
	/** what people asked it */
	questions: string[];
	/** what the tool gave it */
	toolResults: string[];
	stop(): Promise<void>;
}

/**
 * Starts a model that calls one tool, then answers.
 *
 * @param tool part of the tool's name, in upper or lower case
 * @param answer what it says once it has seen the tool's result
 */
export async function startLanguageModel(tool: RegExp, answer: string): Promise<LanguageModel> {
	const questions: string[] = [];
	const toolResults: string[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { messages, tools = [] } = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
		const asked = messages.filter(({ role }) => role === 'user');
		questions.push(...asked.map(({ content }) => String(content)));
		const results = messages.filter(({ role }) => role === 'tool');
		toolResults.push(...results.map(({ content }) => JSON.stringify(content)));
		const name = tools.map((known) => known.function.name).find((known) => tool.test(known));
		const message =
			results.length > 0 || !name ? { content: answer } : { content: null, ...call(name) };
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(completion(message)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		questions,
		toolResults,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function call(name: string) {
	return {
		tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{}' } }],
	};
}

function completion(message: object) {
	return {
		id: 'completion',
		object: 'chat.completion',
		created: 0,
		model: 'stand-in',
		choices: [
			{
				index: 0,
				message: { role: 'assistant', ...message },
				finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
