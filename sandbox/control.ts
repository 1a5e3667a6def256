import { text } from 'node:stream/consumers';
import { listen, type Listening } from './http';

type Methods = Record<string, (...parameters: never[]) => unknown>;

/** `receiveMail` answers with what was delivered, once it is. */
async function settle(result: unknown): Promise<unknown> {
	if (!(result instanceof Object) || !('deliveries' in result)) return result;
	return { ...result, deliveries: await result.deliveries };
}

/** `POST /<method>` calls a method of the sandbox, with a JSON array of its parameters for a body. */
export async function startControl(methods: Methods, port: number): Promise<Listening> {
	const call = async (name: string, body: string): Promise<unknown> => {
		const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
		if (!method) throw new Error(`There is: ${Object.keys(methods).join(', ')}.`);
		return await settle(await method(...(JSON.parse(body || '[]') as never[])));
	};
	return await listen(async (request, response) => {
		response.setHeader('content-type', 'application/json');
		try {
			const result = await call((request.url ?? '').slice(1), await text(request));
			response.end(JSON.stringify(result ?? null));
		} catch (error) {
			response.statusCode = 400;
			response.end(JSON.stringify({ error: String(error) }));
		}
	}, port);
}
