import { randomUUID } from 'node:crypto';
import type { DeliveryRecord } from '../types';

/** One delivery, ready to be sent. */
export interface Parcel {
	url: string;
	body: string | Uint8Array;
	contentType: string | null;
	userAgent: string;
	followsRedirects: boolean;
	headers?: Record<string, string>;
	method?: string;
	webhookId: string | null;
	messageId: string | null;
}

function failureText(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause instanceof Error ? error.cause : undefined;
	return cause ? `${error.message}: ${cause.message || cause.name}` : error.message;
}

/**
 * Sends a delivery once and says what came of it; never rejects.
 *
 * @param signal gives up when it aborts
 */
export async function post(parcel: Parcel, signal: AbortSignal): Promise<DeliveryRecord> {
	const { url, body, contentType, userAgent, headers, method = 'POST' } = parcel;
	const time = Date.now();
	const record: DeliveryRecord = {
		id: randomUUID(),
		time,
		webhookId: parcel.webhookId,
		messageId: parcel.messageId,
		url,
		status: null,
		responseBody: '',
		error: null,
		milliseconds: 0,
	};
	try {
		const response = await fetch(url, {
			method,
			// Bytes, because `fetch` gives text a content type of its own.
			body: typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body),
			headers: {
				'user-agent': userAgent,
				...(contentType !== null && { 'content-type': contentType }),
				...headers,
			},
			redirect: parcel.followsRedirects ? 'follow' : 'manual',
			signal,
		});
		record.status = response.status;
		record.responseBody = await response.text();
	} catch (error) {
		record.error = failureText(error);
	}
	record.milliseconds = Date.now() - time;
	return record;
}
