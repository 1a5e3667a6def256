import { faultControls } from './control/faultControls';
import { startControl } from './control/server';
import { stateControls, summarise } from './control/stateControls';
import { trafficControls } from './control/trafficControls';
import { Deliverer } from './deliveries/deliverer';
import { resolveDialect } from './dialects/presets';
import { Flow } from './faults/flow';
import { FaultRules } from './faults/rules';
import type { Environment } from './http/environment';
import { Receiver } from './mail/receive';
import { Recording } from './recordings/recording';
import { Service } from './service';
import { MessageStore } from './store/messages';
import { seedState } from './store/seed';
import { Store } from './store/store';
import type { DeliveryRecord, RequestRecord, Sandbox, SandboxOptions } from './types';

const defaults = {
	dialect: 'observed',
	httpPort: 0,
	smtpPort: 0,
	controlPort: 0,
	host: '127.0.0.1',
	pathPrefix: '/api',
	extraIdentities: 0,
	recordings: 10_000,
	messageLimit: 10_000,
	messageCharacterLimit: 256 * 1024 * 1024,
	deliveryTimeout: 120_000,
	collectionDelay: 5,
} as const;

/**
 * Starts the stand-in for the service: its HTTP API, its SMTP server and the control endpoint.
 *
 * @throws when a port is in use (`code` is `EADDRINUSE`); then nothing is left running
 */
export async function startSandbox(given: SandboxOptions = {}): Promise<Sandbox> {
	const options = { ...defaults, ...given };
	const { host, pathPrefix, recordings, httpPort, smtpPort } = options;
	const messages = new MessageStore(options.messageLimit, options.messageCharacterLimit);
	const store = new Store(options.state ?? seedState(options.extraIdentities), messages);
	const dialect = resolveDialect(options.dialect);
	const requests = new Recording<RequestRecord>('request', recordings);
	const deliveries = new Recording<DeliveryRecord>('delivery', recordings);
	const environment: Environment = {
		store,
		dialect,
		paging: { size: null },
		faults: new FaultRules(),
		flow: new Flow(),
		oddities: {},
		requests,
		pathPrefix,
	};
	const deliverer = new Deliverer(store, dialect, deliveries, {
		timeout: options.deliveryTimeout,
		limit: recordings,
		collectionDelay: options.collectionDelay,
	});
	const receiver = new Receiver(store, deliverer, dialect);
	const service = new Service(environment, { receiver, deliverer }, { host, httpPort, smtpPort });
	await service.start();

	let control = { port: options.controlPort, close: async () => {} };
	const sandbox: Sandbox = {
		get baseUrl() {
			return `http://${host}:${service.httpPort}${pathPrefix}`;
		},
		get controlUrl() {
			return `http://${host}:${control.port}`;
		},
		get httpPort() {
			return service.httpPort;
		},
		get smtpPort() {
			return service.smtpPort;
		},
		get controlPort() {
			return control.port;
		},
		get accounts() {
			return { owner: summarise(store, 'owner'), other: summarise(store, 'other') };
		},
		get dialect() {
			return { ...dialect };
		},
		async stop() {
			requests.close();
			deliveries.close();
			await Promise.all([service.stop(), control.close()]);
		},
		goDown: () => service.stop(),
		crash: () => service.stop({ isCrash: true }),
		comeBack: () => service.start(),
		...faultControls(environment),
		...trafficControls({ environment, deliveries, deliverer, receiver }),
		...stateControls(store, dialect),
	};
	try {
		control = await startControl(sandbox, { host, port: options.controlPort });
	} catch (error) {
		await service.stop();
		throw error;
	}
	return sandbox;
}
