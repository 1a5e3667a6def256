import type { IExecuteFunctions, INode } from 'n8n-workflow';

import {
	buttonIn,
	createLinks,
	isLinkOf,
	type QuestionLinks,
} from '../../../../../nodes/EmailIdentity/operations/message/question/questionLink';
import type { KeptQuestion } from '../../../../../nodes/EmailIdentity/operations/message/question/keptQuestion';

const PUBLIC = 'https://n8n.example.com/webhook-waiting/1';

function linksAt(resumeUrl: string, allowPrivate = false): QuestionLinks {
	const context: Partial<IExecuteFunctions> = {
		getNode: () => ({ name: 'Ask' }) as INode,
		getSignedResumeUrl: (parameters) => `${resumeUrl}?${new URLSearchParams(parameters)}`,
	};
	return createLinks(context as IExecuteFunctions, allowPrivate);
}

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

const kept = ({ digest }: QuestionLinks) => ({ digest }) as KeptQuestion;

test('the links of a question, and no others, are its links', () => {
	const [one, other] = [linksAt(PUBLIC), linksAt(PUBLIC)];
	for (const url of [one.urlOf(), one.urlOf('approve'), one.urlOf('decline')]) {
		expect(isLinkOf(kept(one), queryOf(url))).toBe(true);
		expect(isLinkOf(kept(other), queryOf(url))).toBe(false);
	}
});

test('a link says which button was pressed, if one was', () => {
	const { urlOf } = linksAt(PUBLIC);
	const buttons = [urlOf('approve'), urlOf('decline'), urlOf()].map((url) =>
		buttonIn(queryOf(url)),
	);
	expect(buttons).toEqual(['approve', 'decline', undefined]);
	expect(buttonIn({ button: 'delete' })).toBeUndefined();
	expect(buttonIn({ button: ['approve'] })).toBeUndefined();
});

test.each<unknown>([undefined, '', 'x', ['x'], { x: 1 }])(
	'a query whose random value is %j belongs to no question',
	(question) => {
		expect(isLinkOf(kept(linksAt(PUBLIC)), { question })).toBe(false);
	},
);

test.each([
	'http://localhost:5678/webhook-waiting/1',
	'https://10.0.0.7/webhook-waiting/1',
	'http://n8n.example.com/webhook-waiting/1',
	'/webhook-waiting/1',
])('a link to %s is refused, unless the credential allows private URLs', (url) => {
	expect(() => linksAt(url)).toThrow('would not work everywhere');
	expect(linksAt(url, true).urlOf()).toContain(url);
});
