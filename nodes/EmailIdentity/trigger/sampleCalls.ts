/** The requests that n8n sends to its own test URL for the sample email. */
export type SampleCall = 'announce' | 'send';

/** The node's answer to `announce`. */
export const ANNOUNCED = { status: 'ready' } as const;
