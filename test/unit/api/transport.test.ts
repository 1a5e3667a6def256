import { NodeApiError, type INode } from 'n8n-workflow';
import { toTransportFailure } from '../../../nodes/EmailIdentity/api/transport';

const NODE: INode = {
	id: '1',
	name: 'Email Identity',
	type: 'emailIdentity',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

/** As n8n 1.x throws it: its class sets `cause` to undefined after the error was taken over. */
function withoutCause(error: Error & { code: string }): NodeApiError {
	return Object.defineProperty(
		new NodeApiError(NODE, { message: error.message, code: error.code }),
		'errorResponse',
		{
			value: undefined,
		},
	);
}

const FAILURES = [
	['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9', 'unreachable', false],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere', 'unknownHost', false],
	[
		'EPROTO',
		'write EPROTO 1:error:0A00010B:SSL routines::wrong version number',
		'speaksPlainHttp',
		false,
	],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'certificate', false],
	['ECONNRESET', 'read ECONNRESET', 'brokenConnection', true],
] as const;

describe.each(FAILURES)('%s', (code, message, problem, mayHaveActed) => {
	it('is told by the cause of what n8n throws', () => {
		const error = new NodeApiError(NODE, failure(code, message) as never);
		expect(toTransportFailure(error)).toEqual({ problem, mayHaveActed });
	});

	it('is told where n8n 1.x leaves no cause', () => {
		const error = withoutCause(failure(code, message));
		expect([error.cause, error.httpCode]).toEqual([undefined, code]);
		expect(toTransportFailure(error)).toEqual({ problem, mayHaveActed });
	});
});

it('takes a status for no code', () => {
	const error = withoutCause(failure('500', 'Internal Server Error'));
	expect(toTransportFailure(error)).toMatchObject({ problem: 'brokenConnection' });
});
