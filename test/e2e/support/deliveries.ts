/** An event as the service delivers it, as text. */
export function eventOf(id: string, subject = `Message ${id}`): string {
	const rawEmail = [
		'From: Ada <ada@example.com>',
		'To: inbox@example.org',
		`Subject: ${subject}`,
		`Message-ID: <${id}@example.com>`,
		'Date: Sat, 21 Nov 2026 10:00:00 +0000',
		'Content-Type: text/plain; charset=utf-8',
		'',
		'Hello',
		'',
	].join('\r\n');
	return JSON.stringify({ event: 'message.received', data: { message: { id }, rawEmail } });
}

/**
 * Delivers an event, by default with the content type of the observed service.
 *
 * @returns the status; undefined when the connection failed
 */
export async function post(
	url: string,
	body: string,
	headers: Record<string, string> = { 'content-type': 'text/plain;charset=UTF-8' },
): Promise<number | undefined> {
	try {
		// Bytes, because `fetch` gives text a content type of its own.
		const response = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) });
		await response.arrayBuffer();
		return response.status;
	} catch {
		return undefined;
	}
}

/** @param status of the answer; undefined when none came */
export const isAccepted = ({ status }: { status: number | undefined }): boolean =>
	status !== undefined && status >= 200 && status < 300;
