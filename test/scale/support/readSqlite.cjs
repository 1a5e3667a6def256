/** Run with n8n's Node, which can read SQLite by itself: parameters are the file, the query, and its parameter. */
const { DatabaseSync } = require('node:sqlite');

const [file, query, parameter] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true });
process.stdout.write(JSON.stringify(database.prepare(query).all({ 1: parameter })));
