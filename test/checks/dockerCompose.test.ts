import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Service {
	image: string;
	command?: string | string[];
	environment?: Record<string, string>;
	volumes?: string[];
	depends_on?: Record<string, unknown> | string[];
}

const project = join(__dirname, '../..');
const text = readFileSync(join(project, 'docs/docker-compose.yml'), 'utf8');
const { services } = parse(text, { merge: true, strict: true }) as {
	services: Record<string, Service>;
};

/** These must be the same in every process of one n8n: credentials, queue and addresses depend on them. */
const SHARED = [
	'EXECUTIONS_MODE',
	'N8N_ENCRYPTION_KEY',
	'N8N_WEBHOOK_URL',
	'DB_TYPE',
	'DB_POSTGRESDB_HOST',
	'DB_POSTGRESDB_DATABASE',
	'DB_POSTGRESDB_USER',
	'DB_POSTGRESDB_PASSWORD',
	'QUEUE_BULL_REDIS_HOST',
	'QUEUE_BULL_REDIS_PASSWORD',
];

test.each(['main', 'webhook-1', 'webhook-2', 'worker-1', 'worker-2'])(
	'%s is the n8n that was measured, with the shared settings, and starts after the package is installed',
	(name) => {
		const lockfile = readFileSync(join(project, 'test/hosts/n8n-2/package-lock.json'), 'utf8');
		type Lockfile = { packages: Record<string, { version: string }> };
		const { version } = (JSON.parse(lockfile) as Lockfile).packages['node_modules/n8n']!;
		const { image, environment = {}, volumes: mounted, depends_on: needs } = services[name]!;

		expect(image.split(':')[1]).toBe(version);
		const shared = Object.entries(environment).filter(([setting]) => SHARED.includes(setting));
		expect(shared.map(([setting]) => setting).sort()).toEqual(SHARED.toSorted());
		expect(services.main!.environment).toMatchObject(Object.fromEntries(shared));
		expect(mounted).toContain('nodes:/home/node/.n8n/nodes');
		expect(needs).toMatchObject({ nodes: { condition: 'service_completed_successfully' } });
	},
);

test('every secret comes from the environment', () => {
	const secrets = Object.values(services).flatMap(({ environment = {} }) =>
		Object.entries(environment).filter(([name]) => /PASSWORD|KEY|REDISCLI_AUTH/.test(name)),
	);
	expect(secrets).not.toEqual([]);
	expect(secrets.filter(([, value]) => !/^\$\{\w+:\?\}$/.test(value))).toEqual([]);
});

test('the proxy holds deliveries as the one in docs/recovery.md, which test/scale starts', () => {
	const page = readFileSync(join(project, 'docs/recovery.md'), 'utf8');
	const [, block = ''] = /```caddyfile\n([\s\S]*?)```/.exec(page) ?? [];
	const directives = block.split('\n').filter((line) => /^\t\t\w/.test(line));
	const [, webhooks = ''] = /handle @webhooks \{([\s\S]*?)\}/.exec(text) ?? [];
	const lines = webhooks.split('\n').map((line) => line.trim());

	expect(directives.length).toBeGreaterThan(4);
	expect(lines).toEqual(expect.arrayContaining(directives.map((line) => line.trim())));
});
