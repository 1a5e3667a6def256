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

const N8N_PROCESSES = ['main', 'webhook-1', 'webhook-2', 'worker-1', 'worker-2'];
const processes = N8N_PROCESSES.map((name) => services[name]!);

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

test.each(N8N_PROCESSES)(
	'%s is the same n8n as the main, with the same shared settings',
	(name) => {
		const { image, environment, volumes: mounted } = services[name]!;
		const { image: imageOfMain, environment: ofMain } = services.main!;

		expect(image).toBe(imageOfMain);
		for (const setting of SHARED) {
			expect([setting, ofMain![setting]]).toEqual([setting, expect.any(String)]);
			expect([setting, environment?.[setting]]).toEqual([setting, ofMain![setting]]);
		}
		expect(mounted).toContain('nodes:/home/node/.n8n/nodes');
	},
);

test('n8n runs in queue mode, in the version that was measured', () => {
	const lockfile = readFileSync(join(project, 'test/hosts/n8n-2/package-lock.json'), 'utf8');
	const { packages } = JSON.parse(lockfile) as { packages: Record<string, { version: string }> };

	expect(services.main!.image.split(':')[1]).toBe(packages['node_modules/n8n']!.version);
	const commands = processes.map(({ command }) => String(command ?? 'main').split(' ')[0]);
	expect(commands).toEqual(['main', 'webhook', 'webhook', 'worker', 'worker']);
	expect(services.main!.environment!.EXECUTIONS_MODE).toBe('queue');
});

test('the package is installed before any n8n starts, in a fixed version', () => {
	expect(services.nodes!.command).toContainEqual(
		expect.stringMatching(/^n8n-nodes-email-identity@\d+\.\d+\.\d+$/),
	);
	for (const { depends_on: needs } of processes) {
		expect(needs).toMatchObject({ nodes: { condition: 'service_completed_successfully' } });
	}
});

test('Redis keeps its data over a restart', () => {
	expect(services.redis!.command).toContain('--appendonly yes');
	expect(services.redis!.volumes).toContain('redis:/data');
});

test('every secret comes from the environment', () => {
	const secrets = Object.values(services).flatMap(({ environment = {} }) =>
		Object.entries(environment).filter(([name]) => /PASSWORD|KEY|REDISCLI_AUTH/.test(name)),
	);
	expect(secrets.length).toBeGreaterThan(0);
	expect(secrets.filter(([, value]) => !/^\$\{\w+:\?\}$/.test(value))).toEqual([]);
});
