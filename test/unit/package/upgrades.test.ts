import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeType } from 'n8n-workflow';

import { EmailIdentity } from '../../../nodes/EmailIdentity/EmailIdentity.node';
import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

interface SavedNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
}

const PREFIX = 'n8n-nodes-email-identity.';

/** As they are called in workflows; n8n makes the tool out of the action node. */
const NODE_TYPES: Record<string, INodeType> = {
	emailIdentity: new EmailIdentity(),
	emailIdentityTool: new EmailIdentity(),
	emailIdentityTrigger: new EmailIdentityTrigger(),
};

/** Parameters that n8n itself gives to nodes used as tools. */
const OF_TOOLS = new Set(['descriptionType', 'toolDescription']);

/** Workflows as users of a release saved them. Files of a release are never changed, only added. */
const released = join(__dirname, 'released');
const saved = readdirSync(released).flatMap((version) =>
	readdirSync(join(released, version)).flatMap((file) => {
		const text = readFileSync(join(released, version, file), 'utf8');
		return (JSON.parse(text) as { nodes: SavedNode[] }).nodes
			.filter(({ type }) => type.startsWith(PREFIX))
			.map((node) => [`${node.name} of ${file} (${version})`, node] as const);
	}),
);

it('there are saved workflows of a release', () => {
	expect(saved.length).toBeGreaterThan(0);
});

it.each(saved)('%s still means what it meant', (_name, { type, typeVersion, parameters }) => {
	const nodeType = NODE_TYPES[type.slice(PREFIX.length)];
	const description = nodeType!.description;
	expect([description.version].flat()).toContain(typeVersion);
	const own = Object.fromEntries(
		Object.entries(parameters).filter(([name]) => !OF_TOOLS.has(name)),
	);
	// n8n drops what the node does not know.
	const understood = NodeHelpers.getNodeParameters(
		description.properties,
		own,
		true,
		false,
		{ typeVersion },
		description,
	);
	expect(understood).toMatchObject(own);
});
