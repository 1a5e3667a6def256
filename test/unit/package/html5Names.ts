import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** All of the MIME library's table before the build takes from it what emails are written with. */
const table = readFileSync(
	join(dirname(require.resolve('postal-mime/package.json')), 'dist/esm/html-entities.js'),
	'utf8',
);

/** The named characters of HTML 5, such as `&euro;`, and those that need no semicolon. */
export const HTML_5_NAMES = [...table.matchAll(/'(&\w+;?)': '((?:\\u[0-9A-F]{4})+)'/g)].map(
	([, name, escaped]) => ({ name, character: JSON.parse(`"${escaped}"`) as string }),
);
