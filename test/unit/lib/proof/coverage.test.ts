import { countFields, doubledFields } from '../../../../lib/proof/coverage';

/** RFC 5322, 3.6: at most once; RFC 2045 and 2183 for what a part is. */
const SINGLE = [
	...['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date'],
	...['message-id', 'in-reply-to', 'references', 'mime-version', 'content-type'],
	...['content-transfer-encoding', 'content-disposition', 'content-id'],
];

test.each(SINGLE)('a second %s is a doubled field', (name) => {
	const names = [name, 'x', name, 'x', 'received', 'received'];
	const fields = names.map((one) => ({ name: one, value: '', text: '' }));
	expect(doubledFields(countFields(fields))).toEqual([name]);
});
