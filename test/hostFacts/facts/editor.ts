import { itemsOf } from '../../e2e/driver';
import { expecting, type HostFact } from '../hostFact';
import { NODE, PROBE } from '../probedHost';
import type { ProbedHost } from '../probedHost';
import { inSource, withLibrariesOf } from '../sources';

const EDITOR = 'n8n-editor-ui/dist/assets';

const CHOSEN = {
	__rl: true,
	mode: 'list',
	value: 'id-1',
	cachedResultName: 'ada@example.com (Ada)',
};

interface NodeType {
	name: string;
	webhooks?: { ndvHideUrl?: unknown }[];
}

async function nodeTypes(host: ProbedHost): Promise<NodeType[]> {
	return await host.n8n.session.call<NodeType[]>('GET', '/types/nodes.json');
}

/** What the editor does with our descriptions, and what n8n makes of what the editor stores. */
export const EDITOR_FACTS: HostFact[] = [
	{
		name: 'ndvHideUrl reaches the editor',
		statement: 'The editor is given ndvHideUrl of a webhook as it stands in the description',
		usedIn: ['node files'],
		by: 'n8n',
		async attempt(host) {
			const found = (await nodeTypes(host)).find(({ name }) => name.endsWith('.probeTrigger'));
			return expecting(found?.webhooks?.[0]?.ndvHideUrl, '={{ !$parameter.options.shown }}');
		},
	},
	{
		name: 'ndvHideUrl as an expression',
		statement:
			'The editor evaluates an ndvHideUrl that is a text, and hides the webhook URLs by it',
		usedIn: ['node files'],
		by: 'source',
		attempt: async (host) =>
			inSource(
				host,
				EDITOR,
				/typeof [\w$.]+\.ndvHideUrl\s*===?\s*[`"']string[`"'][\s\S]{0,120}[`"']ndvHideUrl[`"']/,
			),
	},
	{
		name: 'cachedResultName is stored',
		statement: 'The editor stores the name of the chosen entry of a list with its ID',
		usedIn: ['shared'],
		by: 'source',
		attempt: async (host) =>
			inSource(host, EDITOR, /\.cachedResultName\s*=[^=][\s\S]{0,120}\.cachedResultUrl\s*=[^=]/),
	},
	{
		name: 'cachedResultName is given',
		statement: 'A node that asks for the field is given the stored name beside the ID',
		usedIn: ['shared'],
		by: 'n8n',
		async attempt(host) {
			const { chosen } = await host.operation('chosen', { chosen: CHOSEN });
			const { mode, value, cachedResultName } = chosen as typeof CHOSEN;
			return expecting([mode, value, cachedResultName], ['list', 'id-1', CHOSEN.cachedResultName]);
		},
	},
	{
		name: '$parameter.toJSON',
		statement:
			'In an expression of the editor $parameter gives the ID alone, $parameter.toJSON() what was stored',
		usedIn: ['shared'],
		by: 'n8n',
		async attempt(host) {
			const expression =
				'={{ $parameter.chosen }} {{ $parameter.toJSON().chosen.cachedResultName }}';
			const chosen = JSON.stringify(CHOSEN);
			const seen = withLibrariesOf(host, 'parameterExpression.cjs', chosen, expression);
			return expecting(seen, `id-1 ${CHOSEN.cachedResultName}`);
		},
	},
	{
		name: 'the type of a tool',
		statement: 'n8n offers a node with usableAsTool once more, as a type that ends in Tool',
		usedIn: ['resources'],
		by: 'n8n',
		async attempt(host) {
			const names = (await nodeTypes(host)).map(({ name }) => name);
			return expecting(
				names.filter((name) => name.startsWith(PROBE) && !name.includes('Trigger')).sort(),
				[PROBE, `${PROBE}Tool`],
			);
		},
	},
	{
		name: 'a failed item by its keys',
		statement: 'An item with error and message goes to the error output',
		usedIn: ['resources'],
		by: 'n8n',
		async attempt(host) {
			const execution = await host.run({
				parameters: { operation: 'failedItem' },
				onError: 'continueErrorOutput',
			});
			const [succeeded, failed] = [0, 1].map((output) => itemsOf(execution, NODE, output).length);
			return expecting({ succeeded, failed }, { succeeded: 0, failed: 1 });
		},
	},
];
