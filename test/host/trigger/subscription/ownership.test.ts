import { dialectNames, type Sandbox } from '../../../../sandbox';
import { ADDRESS, setTheScene, type Scene } from './support/scene';

/**
 * An ID proves nothing: some services number their webhooks, give a number again after a deletion, and every deployment
 * begins with 1.
 */

const CRM = 'https://crm.example/hooks/7';

let sandbox: Sandbox;
let scene: Scene;

describe.each(dialectNames)('in a service that speaks %s and numbers its webhooks', (dialect) => {
	setTheScene((fresh) => ({ sandbox, scene } = fresh), dialect);

	beforeEach(() => {
		sandbox.setDialect({ shortWebhookIds: true, sharesWebhooks: false });
	});

	const own = () => sandbox.webhooks().filter(({ url }) => url.startsWith(ADDRESS));
	const find = (id: string) => sandbox.webhooks().find((webhook) => webhook.id === id);

	/** Someone else's webhook, which nothing may change. */
	function addForeign() {
		const { id } = sandbox.addWebhook({ url: CRM, events: ['message.received'] });
		const before = find(id);
		return { id, expectUnchanged: () => expect(find(id)).toEqual(before) };
	}

	test('the response to a creation counts only if it shows what was asked for', async () => {
		const { id, expectUnchanged } = addForeign();
		const answer = { type: 'status', status: 200, body: { data: find(id) } } as const;
		sandbox.addFault({ method: 'POST', count: 1, acts: true, answer });
		const { staticData } = await scene.create();
		expect(staticData.subscription).toMatchObject({ id: own()[0]?.id });
		await scene.remove({ staticData });
		expect(own()).toMatchObject([{ enabled: false }]);
		expectUnchanged();
	});

	test('a service that creates nothing and answers with another webhook makes publishing fail', async () => {
		const { id, expectUnchanged } = addForeign();
		const answer = { type: 'status', status: 200, body: { data: find(id) } } as const;
		sandbox.addFault({ method: 'POST', acts: false, answer });
		expect(await scene.failure()).toMatch(/returned a different webhook/);
		expect(sandbox.requests(({ method }) => method === 'POST')).toHaveLength(1);
		await scene.remove();
		expectUnchanged();
	});
});
