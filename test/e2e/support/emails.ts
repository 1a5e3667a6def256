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
