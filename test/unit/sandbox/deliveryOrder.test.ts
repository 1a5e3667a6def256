import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sandbox, startSandbox } from '../../../sandbox';

const SALES = 'sales@example.test';

const mail = (id: number) => `Message-ID: <${id}@sender.example>\r\nSubject: ${id}\r\n\r\nHello`;

/** Somewhere for deliveries to go that answers only when told. */
async function startSlowReceiver() {
	const waiting: ServerResponse[] = [];
	const arrivals: string[] = [];
	const server = createServer((request, response) => {
		arrivals.push(request.url ?? '');
		waiting.push(response);
		request.resume();
		server.emit('arrival');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		arrivals,
		/** Resolves when so many deliveries came in all. */
		arrived: async (count: number) => {
			while (arrivals.length < count) {
				await new Promise((resolve) => server.once('arrival', resolve));
			}
		},
		answer: (status = 200, headers: Record<string, string> = {}) =>
			waiting.shift()?.writeHead(status, headers).end(),
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

describe('the order of deliveries', () => {
	let sandbox: Sandbox;
	let receiver: Awaited<ReturnType<typeof startSlowReceiver>>;
	beforeEach(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
		receiver = await startSlowReceiver();
		sandbox.addWebhook({ url: `${receiver.url}/first` });
		sandbox.addWebhook({ url: `${receiver.url}/second` });
	});
	afterEach(() => Promise.all([sandbox.stop(), receiver.stop()]));
	const receive = (id: number) => sandbox.receiveMail(mail(id), { to: SALES });

	test('in the observed dialect each waits for the answer of the one before, whatever it is', async () => {
		await receive(1);
		const { deliveries } = await receive(2);
		for (const [index, status] of [500, 200, 302, 200].entries()) {
			await receiver.arrived(index + 1);
			expect(receiver.arrivals).toHaveLength(index + 1);
			receiver.answer(status);
		}
		await deliveries;
		await sandbox.deliveriesSettled();
		expect(receiver.arrivals).toEqual(['/first', '/second', '/first', '/second']);
		expect(sandbox.deliveries()).toHaveLength(4);
	});

	test('after a crash what was not finished is delivered again, from the first subscription on', async () => {
		await receive(1);
		await receive(2);
		await receiver.arrived(1);
		receiver.answer();
		await receiver.arrived(2);
		await sandbox.crash();
		receiver.answer();
		await sandbox.comeBack();
		for (const count of [3, 4, 5, 6]) {
			await receiver.arrived(count);
			receiver.answer();
		}
		await sandbox.deliveriesSettled();
		expect(receiver.arrivals.slice(2)).toEqual(['/first', '/second', '/first', '/second']);
		expect(new Set(sandbox.deliveries().map(({ messageId }) => messageId)).size).toBe(2);
	});

	test.each([
		['goes down in good order', {}, () => sandbox.goDown()],
		['crashes where nothing is repeated', { repeatsAfterCrash: false }, () => sandbox.crash()],
	])('nothing is delivered again when the service %s', async (_, switches, end) => {
		sandbox.setDialect(switches);
		const { deliveries } = await receive(1);
		await receiver.arrived(1);
		await end();
		await expect(deliveries).resolves.toMatchObject([{ status: null }]);
		receiver.answer();
		await sandbox.comeBack();
		const { deliveries: next } = await receive(2);
		for (const count of [2, 3]) {
			await receiver.arrived(count);
			receiver.answer();
		}
		await next;
		expect(receiver.arrivals).toEqual(['/first', '/first', '/second']);
	});

	test('in the fork they go out side by side, and a redirect is not followed', async () => {
		sandbox.setDialect('fork');
		const { deliveries } = await receive(1);
		await receiver.arrived(2);
		receiver.answer(302, { location: `${receiver.url}/elsewhere` });
		receiver.answer();
		expect((await deliveries).map(({ status }) => status).sort()).toEqual([200, 302]);
		expect(receiver.arrivals).not.toContain('/elsewhere');
	});

	test('a delivery without an answer is given up where the dialect has a time-out', async () => {
		sandbox.setDialect({ deliveryTimeout: 30, deliveryOrder: 'parallel' });
		const { deliveries } = await receive(1);
		expect(await deliveries).toMatchObject([
			{ status: null, error: expect.stringMatching(/time/) },
			{ status: null },
		]);
	});
});
