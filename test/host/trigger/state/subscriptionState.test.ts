import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../../sandbox';
import { received, startDeliveryHost } from '../delivery/support/deliveries';
import {
	forOne,
	identityOf,
	INSTANCE_ID,
	setTheScene,
	START,
	startScene,
	WEBHOOK_ID,
	type Scene,
} from '../subscription/support/scene';

const MINUTES = 60_000;

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const ofOne = () => forOne(identityOf(sandbox, 'email').id);

/** An email without a known recipient, in an n8n that was just started. */
async function deliver(staticData: IDataObject) {
	const { baseUrl, accounts } = sandbox;
	const { apiKey } = accounts.owner;
	const host = await startDeliveryHost(ofOne(), {
		credential: { baseUrl, apiKey },
		instanceId: INSTANCE_ID,
		webhookId: WEBHOOK_ID,
		staticData,
	});
	const url = host.urlFor({ instanceId: INSTANCE_ID }, apiKey);
	const { status } = await host.post(received('m-1'), { url });
	return { status, staticData: host.staticData };
}

test('the restriction that one delivery saw counts for the next after a restart of n8n', async () => {
	const { restriction, ...stored } = (await scene.create({ parameters: ofOne() })).staticData
		.subscription as { restriction: { seenAt: number } };
	const old = { ...restriction, seenAt: restriction.seenAt - 62 * MINUTES };
	const first = await deliver({ subscription: { ...stored, restriction: old } });
	sandbox.addFault({ answer: { type: 'status', status: 401 } });
	expect(await deliver({ ...first.staticData, seen: {} })).toMatchObject({ status: 200 });
});

test('a start of n8n stores that the identity is gone, and keeps the last known restriction if the service is unavailable', async () => {
	const { staticData } = await scene.create({ parameters: ofOne() });
	scene = startScene(sandbox);
	sandbox.addFault({ answer: { type: 'status', status: 503 } });
	const before = await scene.create({ ...START, parameters: ofOne(), staticData });
	expect(before.staticData).toEqual(staticData);
	sandbox.clearFaults();
	const parameters = ofOne();
	sandbox.removeIdentity(identityOf(sandbox, 'email').id);
	const after = await scene.create({ ...START, parameters, staticData });
	expect(after.staticData.subscription).toMatchObject({ restriction: { restrictedTo: null } });
});
