import { type AddressInfo, createServer } from 'node:net';
import { startSandbox } from '../../../sandbox';
import { ask, subscribe } from './client';
import { startHookReceiver } from './receiver';

describe('outages', () => {
	const started: Array<{ stop: () => Promise<unknown> }> = [];
	const start = async (options: Parameters<typeof startSandbox>[0]) => {
		const sandbox = await startSandbox(options);
		started.push(sandbox);
		return sandbox;
	};
	afterEach(() => Promise.all(started.splice(0).map((running) => running.stop())));

	test('going down breaks open requests and refuses new ones; coming back remembers everything', async () => {
		const sandbox = await start({ dialect: 'contract' });
		const { baseUrl } = sandbox;
		const id = await subscribe(sandbox, 'https://hooks.example.com');
		sandbox.addFault({ path: '/me', count: 1, delayBefore: 60_000 });
		const hanging = ask(sandbox, 'GET /me');
		hanging.catch(() => undefined);
		await sandbox.waitForRequest(({ path }) => path === '/me');
		await sandbox.goDown();
		await expect(hanging).rejects.toThrow();
		await expect(ask(sandbox, 'GET /me')).rejects.toThrow();
		await sandbox.comeBack();
		expect(sandbox.baseUrl).toBe(baseUrl);
		expect((await ask(sandbox, `GET /webhooks/${id}`)).status).toBe(200);
	});

	test('what still waited to be done when it went down is never done', async () => {
		const sandbox = await start({ dialect: 'contract' });
		sandbox.addFault({ method: 'POST', delayBefore: 50, count: 1 });
		const creating = subscribe(sandbox, 'https://hooks.example.com');
		creating.catch(() => undefined);
		await sandbox.waitForRequest(({ method }) => method === 'POST');
		await sandbox.goDown();
		await expect(creating).rejects.toThrow();
		await sandbox.comeBack();
		// Answered well after the other one would have been.
		sandbox.addFault({ path: '/me', delayBefore: 100 });
		await ask(sandbox, 'GET /me');
		expect(sandbox.webhooks()).toEqual([]);
	});

	test('stopping while an answer is held back ends it without an error of its own', async () => {
		const sandbox = await start({ dialect: 'contract' });
		sandbox.addFault({ path: '/me', count: 1, delayAfter: 60_000 });
		const held = ask(sandbox, 'GET /me');
		held.catch(() => undefined);
		await sandbox.waitForRequest(({ path }) => path === '/me');
		await sandbox.stop();
		await expect(held).rejects.toThrow();
	});

	test('a new one on the same ports with the old state goes on where the old one ended', async () => {
		const first = await start({ dialect: 'contract' });
		await subscribe(first, 'https://hooks.example.com');
		const { httpPort, smtpPort, controlPort } = first;
		const state = first.dumpState();
		await first.stop();
		const ports = { httpPort, smtpPort, controlPort };
		const second = await start({ dialect: 'contract', ...ports, state });
		expect(second).toMatchObject({ baseUrl: first.baseUrl, ...ports });
		expect(second.dumpState()).toEqual(state);
		expect(second.accounts.owner.apiKey).toBe(first.accounts.owner.apiKey);
	});

	test('a port in use rejects the start and leaves the other ports free', async () => {
		const blocker = createServer().listen(0, '127.0.0.1');
		started.push({ stop: () => new Promise((resolve) => blocker.close(resolve)) });
		await new Promise((resolve) => blocker.once('listening', resolve));
		const { port } = blocker.address() as AddressInfo;
		const free = await start({});
		const { httpPort, smtpPort, controlPort } = free;
		await free.stop();
		const ports = { httpPort, smtpPort, controlPort };
		for (const name of Object.keys(ports)) {
			const taken = startSandbox({ ...ports, [name]: port });
			await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE', port });
		}
		await start(ports);
	});

	test('waiting ends with a sentence when nothing comes or it stops', async () => {
		const sandbox = await start({});
		await expect(sandbox.waitForDelivery(() => true, 1)).rejects.toThrow('No delivery that fits');
		const waiting = sandbox.waitForRequest(() => true);
		waiting.catch(() => undefined);
		await sandbox.stop();
		await expect(waiting).rejects.toThrow('The sandbox stopped');
	});

	test('many messages leave no more behind than it was told to keep', async () => {
		const receiver = await startHookReceiver();
		started.push(receiver);
		const sandbox = await start({ recordings: 10, messageLimit: 20 });
		await subscribe(sandbox, receiver.url);
		for (let count = 0; count < 150; count++) {
			const raw = `Message-ID: <${count}@load.test>\r\nSubject: ${count}\r\n\r\nbody`;
			const { deliveries } = await sandbox.receiveMail(raw, { to: 'sales@example.test' });
			if (count % 50 === 0) await deliveries;
		}
		await sandbox.deliveriesSettled();
		expect(receiver.received).toHaveLength(150);
		expect(sandbox.deliveries()).toHaveLength(10);
		const subjects = sandbox.dumpState().messages.map(({ fields }) => fields.subject);
		expect(subjects).toHaveLength(20);
		expect(subjects[19]).toBe('149');
	});
});
