import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { itemsOf } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { onStage } from './support/stage';

const stage = onStage();

it.each(['google', 'outlook', 'apple'])(
	"n8n's own Extract From File reads an invitation as %s writes it",
	async (program) => {
		const node = {
			name: 'Read Invitation',
			type: 'n8n-nodes-base.extractFromFile',
			typeVersion: 1,
			parameters: { operation: 'fromIcs', options: {} },
		};
		const parameters = { filters: { attachments: '*.ics' }, output: 'attachment' };
		const workflow = await stage.publish(parameters, stage.credential, node);
		const raw = await readFile(join(__dirname, `invitations/${program}.eml`));
		await stage.mail('', { raw, envelope: { from: 'ada@example.org', to: [ADDRESS] } });

		const [execution] = await stage.n8n.executions.atLeast(workflow.id, 1);
		const [item] = itemsOf(execution!, 'Read Invitation');
		expect(item?.json).toMatchObject({
			data: {
				method: 'REQUEST',
				events: [
					{
						summary: 'Samples für März',
						location: 'Room 4',
						start: { date: '2026-12-10T09:00:00.000Z' },
						organizer: { name: 'Ada Lovelace', email: 'ada@example.org' },
						attendees: [{ email: ADDRESS }],
					},
				],
			},
		});
	},
);
