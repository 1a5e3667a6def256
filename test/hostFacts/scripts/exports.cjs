/** Prints the names that an n8n's own n8n-workflow exports. Run in the folder of that n8n. */
const { createRequire } = require('node:module');
const { join } = require('node:path');

const load = createRequire(join(process.cwd(), 'index.js'));
console.log(JSON.stringify(Object.keys(load('n8n-workflow'))));
