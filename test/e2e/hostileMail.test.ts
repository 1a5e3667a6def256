import { randomUUID } from 'node:crypto';
import { until } from './driver';
import { runAction } from './support/actions';
import { ADDRESS } from './support/deployment';
import { onStage } from './support/stage';

/** So large that time that grows with its square would keep n8n busy for hours. */
const LENGTH = 64 * 1024;

const repeated = (text: string) => text.repeat(Math.ceil(LENGTH / text.length));

const MAILS = {
	'HTML of unfinished links': `Content-Type: text/html\r\n\r\n<a ${repeated('href=')}`,
	'HTML of comments that never end beside text': [
		'Content-Type: multipart/mixed; boundary=part',
		'',
		'--part',
		'Content-Type: text/plain',
		'',
		'Hello',
		'--part',
		'Content-Type: text/html',
		'',
		repeated('<!-- '),
		'--part--',
		'',
	].join('\r\n'),
	'an address in groups in groups': `Cc: ${repeated('a:')}\r\n\r\nHello`,
};

// A dialect with single messages.
const stage = onStage({ dialect: 'fork' });

/** A frozen n8n takes connections and never answers. */
const answers = async () =>
	await until(async () => (await fetch(`${stage.n8n.url}/healthz`)).ok, {
		describe: 'n8n answers',
	});

it.each(Object.entries(MAILS))(
	'%s starts its workflow, and n8n answers meanwhile',
	async (subject, rest) => {
		const workflow = await stage.publish();
		const raw = `Message-ID: <${randomUUID()}@example.org>\r\nFrom: zoe@example.org\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\n${rest}`;
		await stage.mail('', { envelope: { from: 'zoe@example.org', to: ADDRESS }, raw });
		await answers();
		expect(await stage.subjects(workflow, 1)).toEqual([subject]);

		const messageId = stage.sandbox.dumpState().messages.at(-1)?.fields.id;
		const getting = runAction(stage.n8n, stage.credential, {
			...{ resource: 'message', operation: 'get', messageId },
		});
		await answers();
		expect((await getting).status).toBe('success');
	},
);
