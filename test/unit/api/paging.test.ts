import { readNextLink } from '../../../nodes/EmailIdentity/api/paging';

const base = 'https://mail.example.com/api/identities?page=1';

test.each([
	['</api/identities?page=2>; rel="next"', 'https://mail.example.com/api/identities?page=2'],
	['<?page=2>; rel=next', 'https://mail.example.com/api/identities?page=2'],
	['</a>; rel="prev", </b>; rel="next"', 'https://mail.example.com/b'],
	['</b>; title="x, y"; rel="last next"', 'https://mail.example.com/b'],
	['<https://other.example/b>; REL="Next"', 'https://other.example/b'],
])('%s leads on to %s', (header, expected) => {
	expect(readNextLink(header, base)?.href).toBe(expected);
});

test.each([undefined, '', '</a>; rel="prev"', '</a>; rel="nextish"', 'rel="next"', '<>'])(
	'%p leads nowhere',
	(header) => {
		expect(readNextLink(header, base)).toBeUndefined();
	},
);
