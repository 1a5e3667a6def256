import type { Oddities } from '../../../../sandbox/types';
import type { Oddity } from './steps';

type Shown = Record<string, unknown>;

const SHOW: Record<Oddity, Oddities['show']> = {
	none: undefined,
	'creates nothing': undefined,
	'enabled is not told': (shown) => ({ ...shown, enabled: undefined }),
	'spelled otherwise': (shown) => ({
		...shown,
		url: spell(String(shown.url)),
		events: (shown.events as string[]).map((event) => event.toUpperCase()),
		...capitals(shown, 'identityId'),
		...capitals(shown, 'identity_id'),
	}),
};

/** How the service shows subscriptions in one of its oddities. */
export function oddBehaviour(oddity: Oddity): Oddities {
	return { show: SHOW[oddity] };
}

/** The same address: the host in capitals, its port, percent-encoding, a slash at the end, a query in another order. */
function spell(url: string): string {
	return url
		.replace(/^https:\/\/([^/:]+)\//, (_, host: string) => `https://${host.toUpperCase()}:443/`)
		.replace('/webhook?', '/%77ebhook/?')
		.replace(/[-_]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
		.replace('?token=', '?by=service&token=');
}

function capitals(shown: Shown, name: string): Shown {
	const id = shown[name];
	return typeof id === 'string' ? { [name]: id.toUpperCase() } : {};
}
