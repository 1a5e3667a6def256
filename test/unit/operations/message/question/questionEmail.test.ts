import type { EmailQuestion } from '../../../../../nodes/EmailIdentity/operations/message/question/question';
import { writeQuestionEmail } from '../../../../../nodes/EmailIdentity/operations/message/question/questionEmail';
import {
	writeQuestionPage,
	writeTextPage,
} from '../../../../../nodes/EmailIdentity/operations/message/question/questionPage';

const HOSTILE = `</title></bdi></td><img src=x onerror="alert(1)">'&`;

/** A question all of whose words are a stranger's. */
const questionWith = (answer: EmailQuestion['answer']): EmailQuestion => ({
	subject: HOSTILE,
	message: HOSTILE,
	toolCall: { tool: HOSTILE, parameters: [{ name: HOSTILE, value: HOSTILE }] },
	answer,
	answeredText: HOSTILE,
	closedText: HOSTILE,
});

const LINKS = {
	digest: 'digest',
	urlOf: (button?: string) => `https://n8n.example/?a=1&button=${button}`,
};

test.each<[EmailQuestion['answer']]>([
	[{ kind: 'approval', approve: HOSTILE, decline: HOSTILE }],
	[{ kind: 'freeText', open: HOSTILE, submit: HOSTILE }],
])('no word of a question becomes HTML, neither in the email nor on its pages: %j', (answer) => {
	const question = questionWith(answer);
	const { html } = writeQuestionEmail(question, LINKS);
	const pages = [writeQuestionPage(question, 'approve'), writeTextPage(question.closedText)];
	for (const written of [html, ...pages]) {
		expect(written).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;');
		expect(written).not.toMatch(/<img|onerror="|'&/);
	}
});

test('the lines of an argument do not look like other arguments in the text, and are lines in HTML', () => {
	const question = {
		...questionWith({ kind: 'approval', approve: 'Yes' }),
		message: 'Pay?',
		toolCall: { tool: 'pay', parameters: [{ name: 'note', value: 'One\nto: eve' }] },
	};
	const { text, html } = writeQuestionEmail(question, LINKS);
	expect(text).toBe(
		'Pay?\n\npay\nnote: One\n    to: eve\n\nYes:\nhttps://n8n.example/?a=1&button=approve\n',
	);
	expect(html).toContain('One<br>\nto: eve');
});
