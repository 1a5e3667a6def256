import { NodeApiError, type INode } from 'n8n-workflow';
import { toTransportFailure } from '../../../../nodes/EmailIdentity/api/failures/transportFailure';

const NODE = { name: 'Email Identity', type: 'emailIdentity' } as INode;

/** As n8n 1.x throws it: its class sets `cause` to undefined after the error was taken over. */
const withoutCause = (error: Error & { code: string }): NodeApiError =>
	Object.defineProperty(
		new NodeApiError(NODE, { message: error.message, code: error.code }),
		'errorResponse',
		{ value: undefined },
	);

test.each([
	['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9', 'unreachable', false],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere', 'unknownHost', false],
	[
		'EPROTO',
		'EPROTO 1:error:0A00010B:SSL routines::wrong version number',
		'speaksPlainHttp',
		false,
	],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'certificate', false],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', 'certificate', false],
	['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', 'bad record mac', 'brokenConnection', true],
	['ETIMEDOUT', 'connect ETIMEDOUT', 'timeout', true],
	['ECONNRESET', 'read ECONNRESET', 'brokenConnection', true],
	['500', 'Internal Server Error', 'brokenConnection', true],
])('%s is recognized by its cause, and without one as in n8n 1.x', (code, words, problem, acts) => {
	const cause = Object.assign(new Error(words), { code });
	const expected = expect.objectContaining({ problem, mayHaveActed: acts });
	expect(toTransportFailure(new NodeApiError(NODE, cause as never))).toEqual(expected);
	expect(toTransportFailure(withoutCause(cause))).toEqual(expected);
});
