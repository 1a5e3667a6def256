import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostOf, type Line } from '../support/n8n';
import { fact } from './support/probedHost';

/** What is read in n8n's files, not tried: a file or a folder of scripts, and the words that one of them must contain. */
const ROWS: [usedIn: string, statement: string, path: string, words: RegExp, line?: Line][] = [
	[
		'trigger/subscription',
		'An n8n that becomes the leader of several activates workflows with leadershipChange',
		'n8n/dist/active-workflow-manager.js',
		/leadershipChange/,
	],
	[
		'trigger/subscription',
		"n8n 2.x gives test events N8N_WEBHOOK_URL, or else the editor's address, which it takes from WEBHOOK_URL only if N8N_EDITOR_BASE_URL is not set",
		'n8n/dist/services/url.service.js',
		/getTestWebhookBaseUrl\(\) \{\s*let base = this\.globalConfig\.webhookUrl \|\| this\.getInstanceBaseUrl\(\);[\s\S]*getInstanceBaseUrl\(\) \{\s*const \w+ = this\.trimQuotes\(this\.globalConfig\.editorBaseUrl\) \|\| this\.getWebhookBaseUrl\(\)/,
		'2',
	],
	[
		'trigger/subscription',
		'n8n 2.x tries an activation that fails five times',
		'n8n/dist/constants.js',
		/TRIGGER_ACTIVATION_MAX_ATTEMPTS = 5;/,
		'2',
	],
	[
		'trigger/subscription',
		'n8n 1.x gives up at its start if a failure says Authorization',
		'n8n/dist/active-workflow-manager.js',
		/message\.includes\('Authorization'\)/,
		'1',
	],
	[
		'trigger/sampleEmail.ts',
		'n8n registers the test address again after create, with the static data of that moment',
		'n8n/dist/webhooks/test-webhooks.js',
		/registrations\.register\([\s\S]{0,200}createWebhookIfNotExists\([\s\S]{0,200}registrations\.register\(/,
	],
	[
		'trigger/subscription',
		'n8n listens for a test event for two minutes',
		'n8n/dist/constants.js',
		/TEST_WEBHOOK_TIMEOUT = 2 \* [\w.]+\.minutes\./,
	],
	[
		'node files',
		'For a trigger below version 2 n8n looks for a parameter options.binaryData before it reads the body',
		'n8n/dist/webhooks/webhook-helpers.js',
		/typeVersion[\s\S]{0,400}binaryData/,
	],
	[
		'operations',
		'The URL to resume an execution, which expressions know, begins with the public URL of n8n and has two more segments',
		'n8n-core/dist/execution-engine/node-execution-context/utils/get-additional-keys.js',
		/resumeUrl = `\$\{additionalData\.webhookWaitingBaseUrl\}\/\$\{executionId\}`/,
	],
	[
		'operations',
		'The URLs of webhooks begin with the same public URL',
		'n8n/dist/workflow-execute-additional-data.js',
		/webhookBaseUrl: urlBaseWebhook \+ [\s\S]{0,120}webhookWaitingBaseUrl: urlBaseWebhook \+ /,
	],
	[
		'operations',
		'The answer to a request for an unknown webhook has the code 404',
		'n8n/dist/errors/response-errors/not-found.error.js',
		/super\(message, 404, 404, hint\)/,
	],
	[
		'shared',
		'The editor stores the name of the chosen entry of a list with its ID',
		'n8n-editor-ui/dist/assets',
		/\.cachedResultName\s*=[^=][\s\S]{0,120}\.cachedResultUrl\s*=[^=]/,
	],
];

for (const [usedIn, statement, path, words, line] of ROWS) {
	fact(
		usedIn,
		statement,
		async () => {
			const start = join(hostOf().folder, 'node_modules', path);
			const files = path.endsWith('.js') ? [start] : scriptsIn(start);
			expect(files.filter((file) => words.test(readFileSync(file, 'utf8')))).not.toEqual([]);
		},
		line,
	);
}

function scriptsIn(folder: string): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.js') && !name.includes('-legacy-'))
		.map((name) => join(folder, name));
}
