import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { Browser, Page } from 'playwright-core';
import type { EmailQuestion } from '../../nodes/EmailIdentity/operations/message/question/question';
import {
	PAGE_HEADERS,
	writeQuestionPage,
	writeTextPage,
} from '../../nodes/EmailIdentity/operations/message/question/questionPage';
import { projectFolder } from '../support/n8n';
import { startBrowser } from './support/browser';

const RESULTS = join(projectFolder, 'test-results');
const DOCUMENTATION = join(projectFolder, 'docs/images');

const DOCUMENTED = ['question-page', 'review-page'];

const PATH = '/webhook-waiting/1/node?question=q&signature=s';

const PHONE = { width: 390, height: 760 };

const question: EmailQuestion = {
	subject: 'Refund of order 17?',
	message: 'Ada asks for 80 EUR back, because the stamps arrived wet.\n\nOrdered on 3 November.',
	answer: { kind: 'approval', approve: 'Approve', decline: 'Decline' },
	answeredText: 'Thank you for your answer. You can close this page.',
	closedText: 'This question is closed.',
};

const review: EmailQuestion = {
	...question,
	message: 'The agent wants to refund an order.',
	toolCall: {
		tool: 'Refund Order',
		parameters: [
			{ name: 'order', value: '17' },
			{ name: 'amount', value: '80 EUR' },
			{ name: 'note', value: 'The stamps arrived wet.\nSent by Ada.' },
		],
	},
};

const inOwnWords: EmailQuestion = {
	...question,
	answer: { kind: 'freeText', open: 'Answer', submit: 'Submit' },
};

let browser: Browser;
let page: Page;
let server: Server;
let shown: EmailQuestion;
let posts: Array<{ path: string | undefined; body: string }>;
let url: string;

beforeAll(async () => {
	browser = await startBrowser();
	server = createServer(async (request, response) => {
		for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
		if (request.method === 'GET') return response.end(writeQuestionPage(shown));
		posts.push({ path: request.url, body: await text(request) });
		return response.end(writeTextPage(shown.answeredText));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	url = `http://127.0.0.1:${port}${PATH}`;
});

afterAll(async () => {
	await browser?.close();
	server?.closeAllConnections();
	server?.close();
});

beforeEach(async () => {
	posts = [];
	page = await browser.newPage({ viewport: PHONE });
});

afterEach(async () => await page.close());

async function open(of: EmailQuestion): Promise<void> {
	shown = of;
	await page.goto(url);
}

/** Takes a picture in each theme; `UPDATE_PICTURES=1` also writes the ones of the documents. */
async function picture(name: string): Promise<void> {
	const box = await page.locator('main').boundingBox();
	const clip = { x: 0, y: 0, width: PHONE.width, height: (box?.height ?? 0) + 2 * (box?.y ?? 0) };
	const isDocumented = process.env.UPDATE_PICTURES && DOCUMENTED.includes(name);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		for (const folder of isDocumented ? [RESULTS, DOCUMENTATION] : [RESULTS]) {
			mkdirSync(folder, { recursive: true });
			const path = join(folder, `${name}-${colorScheme}.png`);
			await page.screenshot({ path, clip, caret: 'hide' });
		}
	}
}

const width = async () => await page.evaluate('document.documentElement.scrollWidth');

it.each([
	['question-page', question, 'Decline', 'answer=decline'],
	['review-page', review, 'Approve', 'answer=approve'],
])('%s: a button posts its value to the link', async (name, of, label, body) => {
	await open(of);
	await picture(name);
	expect(await width()).toBe(PHONE.width);
	await page.getByRole('button', { name: label }).click();
	await page.getByRole('status').waitFor();
	await picture('answered-page');
	expect(posts).toEqual([{ path: PATH, body }]);
});

it('an answer in own words is posted to the link, but not an empty one', async () => {
	await open(inOwnWords);
	await picture('text-page');
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByRole('textbox', { name: inOwnWords.subject }).fill('Yes & no');
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByRole('status').waitFor();
	expect(posts).toEqual([{ path: PATH, body: 'text=Yes+%26+no' }]);
});

it('long words and many lines fit on a phone', async () => {
	const long = 'x'.repeat(500);
	const parameters = [{ name: long, value: long }];
	const answer = { kind: 'approval' as const, approve: long, decline: long };
	await open({ ...question, subject: long, message: long, answer, toolCall: { parameters } });
	expect(await width()).toBe(PHONE.width);
});
