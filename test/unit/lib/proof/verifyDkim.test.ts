import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { COMMENTS } from '../../../../lib/proof/verifyDkim';

const library = dirname(require.resolve('mailauth/package.json'));
const source = ['lib/dkim/dkim-verifier.js', 'lib/tools.js']
	.map((file) => readFileSync(join(library, file), 'utf8'))
	.join('\n');

test.each([...COMMENTS.keys()])('mailauth still writes the comment "%s"', (comment) => {
	expect(source).toMatch(new RegExp(`['\`]${comment}['\`]`));
});
