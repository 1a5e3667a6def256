import { secretOfQuery } from '../../../nodes/EmailIdentity/shared/secret';

test.each([undefined, {}, { token: ['a', 'b'] }, { token: { a: 'b' } }])(
	'the query %j brings no secret',
	(query) => {
		expect(secretOfQuery(query)).toBeUndefined();
	},
);
