import type { Deliverer } from '../deliveries/deliverer';
import type { Environment } from '../http/environment';
import type { Receiver } from '../mail/receive';
import type { Recording } from '../recordings/recording';
import type { DeliveryRecord, Sandbox } from '../types';

type TrafficControls = Pick<
	Sandbox,
	| 'requests'
	| 'deliveries'
	| 'clearRecordings'
	| 'waitForRequest'
	| 'waitForDelivery'
	| 'deliveriesSettled'
	| 'receiveMail'
	| 'deliver'
	| 'repeatDelivery'
>;

interface TrafficParts {
	environment: Environment;
	deliveries: Recording<DeliveryRecord>;
	deliverer: Deliverer;
	receiver: Receiver;
}

/** What comes in and goes out: recorded requests, mail, deliveries. */
export function trafficControls(parts: TrafficParts): TrafficControls {
	const { environment, deliveries, deliverer, receiver } = parts;
	const { requests, flow } = environment;
	return {
		requests: (filter) => requests.list(filter),
		deliveries: (filter) => deliveries.list(filter),
		clearRecordings: () => {
			requests.clear();
			deliveries.clear();
			deliverer.forget();
			flow.resetMax();
		},
		waitForRequest: (predicate, timeout) => requests.waitFor(predicate, timeout),
		waitForDelivery: (predicate, timeout) => deliveries.waitFor(predicate, timeout),
		deliveriesSettled: () => deliverer.settled(),
		receiveMail: (raw, options) => receiver.receive(Buffer.from(raw), options),
		deliver: (order) => deliverer.deliver(order),
		repeatDelivery: async (deliveryId) => deliverer.repeat(deliveryId),
	};
}
