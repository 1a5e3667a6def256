import { type NodeConnectionType, NodeConnectionTypes } from 'n8n-workflow';

/** The oldest n8n that the package is tested in; it stands in `engines` and in the README, too. */
export const OLDEST_N8N = '1.100.1';

/**
 * The kind of connection by which nodes hand on items. Each node asks for it while n8n loads it, which makes it the place
 * where an n8n that is too old is told so: it lacks these names (n8n before about 1.85), and would report that something
 * is undefined.
 *
 * @throws Error naming the oldest n8n that will do
 */
export function mainConnection(): NodeConnectionType {
	const types: { Main: NodeConnectionType } | undefined = NodeConnectionTypes;
	if (types === undefined) {
		throw new Error(
			`n8n-nodes-email-identity needs n8n ${OLDEST_N8N} or later: update n8n, or uninstall the package`,
		);
	}
	return types.Main;
}
