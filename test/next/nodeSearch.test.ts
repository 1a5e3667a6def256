import { createRequire } from 'node:module';
import { join } from 'node:path';

import { hostOf, N8n } from '../support/n8n';

/** As n8n's AI builder finds nodes: by its own search, over the nodes as this n8n describes them. */
interface NodeSearch {
	searchByName(query: string): Array<{ name: string; builderHintMessage?: string }>;
}

const TRIGGER = 'n8n-nodes-email-identity.emailIdentityTrigger';
const ACTION = 'n8n-nodes-email-identity.emailIdentity';

let search: NodeSearch;

beforeAll(async () => {
	const n8n = await N8n.start({ release: '2' });
	try {
		const nodeTypes = await n8n.session.call('GET', '/types/nodes.json');
		const { NodeSearchEngine } = createRequire(join(hostOf('2').folder, 'package.json'))(
			'@n8n/ai-utilities/node-catalog',
		) as { NodeSearchEngine: new (nodeTypes: unknown) => NodeSearch };
		search = new NodeSearchEngine(nodeTypes);
	} finally {
		await n8n.stop();
	}
});

it.each([
	['receive email', TRIGGER],
	['inbound email', TRIGGER],
	['mailbox', TRIGGER],
	['parse email', TRIGGER],
	['DKIM', ACTION],
	['domain health', ACTION],
	['email webhook', ACTION],
])("n8n's AI builder finds the node and its hint with a search for %s", (query, name) => {
	const found = search.searchByName(query).find((one) => one.name === name);
	expect(found?.builderHintMessage).toMatch(name === TRIGGER ? /Never ask/ : /Trigger/);
});
