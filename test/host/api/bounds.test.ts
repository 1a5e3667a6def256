import { SERVICE_LIMITS } from '../../../nodes/EmailIdentity/api/data/json';
import { EmailIdentityService } from '../../../nodes/EmailIdentity/api/service';
import { connect, contextFor, failureOf, serve } from './support/connection';
import { json, trickle, type Answer } from './support/scriptedServer';

const MEGABYTE = 1024 * 1024;

/** An answer, and how many bytes had left the service when the connection was closed. */
function watched(answer: Answer): { answer: Answer; closed: Promise<number> } {
	let close: (sent: number) => void = () => {};
	const closed = new Promise<number>((resolve) => (close = resolve));
	const watching: Answer = (request, response) => {
		const { socket } = request;
		socket.on('close', () => close(socket.bytesWritten));
		answer(request, response);
	};
	return { answer: watching, closed };
}

/** Sends for ever, as fast as the other side reads. */
const endless: Answer = (_request, response) => {
	const piece = Buffer.alloc(MEGABYTE, ' ');
	response.writeHead(200, { 'content-type': 'application/json' });
	const send = () => {
		while (!response.destroyed && response.write(piece));
	};
	response.on('drain', send);
	send();
};

test('a limit that would let everything through is refused', async () => {
	const server = await serve(json({ userId: 'u1' }));
	const { message } = await failureOf(connect(server.origin, { maxBytes: NaN }).getUser());
	expect(message).toContain('maxBytes must be');
	expect(server.requests).toEqual([]);
});

test('an endless response is read up to the limit, and not requested again', async () => {
	const { answer, closed } = watched(endless);
	const server = await serve(answer);
	const service = connect(server.origin, { maxBytes: MEGABYTE });
	const { message } = await failureOf(service.getMessage('1'));
	expect(message).toContain('too large');
	expect(await closed).toBeLessThan(32 * MEGABYTE);
	expect(server.requests).toHaveLength(1);
});

describe('without settings', () => {
	test('a response of any length is read up to the limit of all responses', async () => {
		const { answer, closed } = watched(endless);
		const server = await serve(answer);
		const service = connect(server.origin, { retry: { timeout: 60_000 } });
		const { message } = await failureOf(service.getMessage('1'));
		expect(message).toContain('too large');
		expect(await closed).toBeLessThan(2 * SERVICE_LIMITS.response);
	});

	test('a request ends after a minute at most', async () => {
		const server = await serve(json({ userId: 'u1' }));
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		await new EmailIdentityService(contextFor(server.origin), {}).getUser();
		const ends = timeout.mock.calls.map(([milliseconds]) => milliseconds);
		timeout.mockRestore();
		expect(Math.min(...ends)).toBeLessThanOrEqual(60_000);
	});
});

describe('the connection is closed', () => {
	test('after the timeout', async () => {
		const { answer, closed } = watched(trickle);
		const server = await serve(answer);
		const service = connect(server.origin, { retry: { attempts: 1, timeout: 200 } });
		const { message } = await failureOf(service.getUser());
		expect(message).toContain('too long');
		await closed;
	});

	test('when the execution is cancelled', async () => {
		const controller = new AbortController();
		const { answer, closed } = watched((request, response) => {
			trickle(request, response);
			controller.abort();
		});
		const server = await serve(answer);
		const { message } = await failureOf(connect(server.origin, {}, controller.signal).getUser());
		expect(message).toContain('cancelled');
		await closed;
	});
});

describe('a response is read', () => {
	test('with a raw email of 50 MB', async () => {
		const rawEmail = `Subject: Files\r\n\r\n${`${'A'.repeat(76)}\r\n`.repeat(640_000)}`;
		const server = await serve(json({ data: { message: { id: 'm1' }, rawEmail } }));
		const service = connect(server.origin, { retry: { timeout: 60_000 } });
		expect((await service.getMessage('m1')).rawEmail).toHaveLength(rawEmail.length);
	});

	test('in pieces that split characters', async () => {
		const body = Buffer.from(JSON.stringify({ userId: 'Ünï-😀' }));
		const server = await serve((_request, response) => {
			const send = (index: number) => {
				if (index === body.length) response.end();
				else response.write(body.subarray(index, index + 1), () => setImmediate(send, index + 1));
			};
			send(0);
		});
		expect(await connect(server.origin).getUser()).toEqual({ userId: 'Ünï-😀' });
	});
});
