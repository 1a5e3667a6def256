/** Stores each delivery in a file, and forwards it until n8n accepts it. See README.md. */
import { mkdir, open, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const { N8N, FOLDER = 'deliveries', HOST = '127.0.0.1', PORT = '8080' } = process.env;
const n8n = new URL(N8N).href.replace(/\/$/, '');
const arriving = `${FOLDER}/arriving`;
const waiting = `${FOLDER}/waiting`;
const refused = `${FOLDER}/refused`;
let count = 0;
const newName = () => `${Date.now()}-${String(count++).padStart(9, '0')}`;

async function store(request) {
	const path = new URL(n8n + request.url).href.slice(n8n.length);
	const { 'content-type': type = 'application/json', 'content-length': length } = request.headers;
	if (request.method !== 'POST' || !path.startsWith('/webhook/')) return 404;
	if (!(Number(length) <= 64e6)) return 413;
	const { bavail, bsize } = await statfs(FOLDER);
	if (bavail * bsize < 1e9) return 507;
	const name = newName();
	const head = JSON.stringify({ path, method: 'POST', headers: { 'content-type': type } });
	await writeFile(`${arriving}/${name}`, [head, '\n', await buffer(request)], { flush: true });
	await rename(`${arriving}/${name}`, `${waiting}/${name}`);
	await open(waiting).then((folder) => folder.sync().finally(() => folder.close()));
	return 200;
}

async function ask(url, options) {
	const signal = AbortSignal.timeout(120_000);
	return await fetch(url, { ...options, redirect: 'manual', signal }).catch(() => ({}));
}

/** Tries up to ten times. Until n8n is ready, it may answer with 200 and drop a delivery. */
async function forward(kept) {
	const end = kept.indexOf('\n');
	const { path, ...delivery } = JSON.parse(kept.subarray(0, end));
	const body = kept.subarray(end + 1);
	for (let attempt = 1; attempt <= 10; attempt++) {
		while (!(await ask(`${n8n}/healthz/readiness`)).ok) await pause(500);
		const { ok, status, headers } = await ask(n8n + path, { ...delivery, body });
		if (ok) return undefined;
		if (status === 400 || status === 401) return refused;
		await pause(1000 * Math.min(Number(headers?.get('retry-after')) || 5, 60));
	}
	return waiting;
}

for (const folder of [arriving, waiting, refused]) await mkdir(folder, { recursive: true });
createServer(async (request, response) => {
	response.writeHead(await store(request).catch(() => 503)).end();
}).listen(PORT, HOST);
for (; ; await pause(200)) {
	for (const name of (await readdir(waiting)).sort()) {
		const folder = await forward(await readFile(`${waiting}/${name}`));
		if (folder) await rename(`${waiting}/${name}`, `${folder}/${newName()}`);
		else await rm(`${waiting}/${name}`);
	}
}
