import { MAILS, type DemoMailer } from './mails';

/** What a person can type, in one line. */
export const KEYS = `Send more mail:  ${MAILS.map(({ key, name }) => `${key ? `${key} and Enter` : 'Enter'}: ${name}`).join(', ')}`;

/**
 * Sends an email for each line that is typed.
 *
 * @param say tells the person what became of it
 * @returns ends it
 */
export function mailOnKeys(mailer: DemoMailer, say: (line: string) => void): () => void {
	const { stdin } = process;
	const send = (typed: Buffer): void => {
		for (const line of typed.toString().split('\n').slice(0, -1)) {
			mailer.send(line.trim().toLowerCase()).then(
				(subject) => say(`Sent: ${subject}`),
				(error: unknown) => say(`Not sent: ${String(error)}`),
			);
		}
	};
	stdin.on('data', send);
	return () => stdin.off('data', send).pause();
}
