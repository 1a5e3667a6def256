import { text } from 'node:stream/consumers';
import { listen, type Listening } from './http';

type Method = (...parameters: never[]) => unknown;

/** `receiveMail` answers with what was delivered, once it is. */
async function settle(result: unknown): Promise<unknown> {
	if (!(result instanceof Object) || !('deliveries' in result)) return result;
	return { ...result, deliveries: await result.deliveries };
}

/** `POST /<method>` calls one of these methods of an object, with a JSON array of its parameters for a body. */
export async function startControl<Name extends string>(
	target: Record<Name, Method>,
	names: readonly Name[],
	port: number,
): Promise<Listening> {
	const call = async (wanted: string, body: string): Promise<unknown> => {
		const name = names.find((one) => one === wanted);
		if (name === undefined) throw new Error(`There is: ${names.join(', ')}.`);
		const parameters = JSON.parse(body || '[]') as never[];
		return await settle(await target[name](...parameters));
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
