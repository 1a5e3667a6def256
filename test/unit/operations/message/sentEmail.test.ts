import {
	notSent,
	sampleResult,
	sentAs,
} from '../../../../nodes/EmailIdentity/operations/message/sentEmail';

const NOT_SENT = { sent: false, messageId: null, inConversation: false };
const TO_ADA = { to: 'ada@example.org', subject: 'Re: Order 17' };

test('the output always has the same fields, also if there was nobody to answer', () => {
	const outputs = [
		sentAs({ messageId: 'm-1' }, TO_ADA, true),
		notSent('ownAddress', TO_ADA).json,
		notSent('automatic').json,
		sampleResult(TO_ADA, { text: 'Hi', files: [] }).json,
	];
	for (const output of outputs) expect(Object.keys(output)).toEqual(Object.keys(outputs[0]!));
	expect(outputs).toEqual([
		{ sent: true, reason: null, messageId: 'm-1', ...TO_ADA, inConversation: true },
		{ ...NOT_SENT, reason: 'ownAddress', ...TO_ADA },
		{ ...NOT_SENT, reason: 'automatic', to: null, subject: null },
		{ ...NOT_SENT, reason: 'sampleEmail', ...TO_ADA },
	]);
});

test('for each reason, the editor says why in words of its own', () => {
	const reasons = [
		'automatic',
		'noAddress',
		'noReplyAddress',
		'ownAddress',
		'tooManyReplies',
	] as const;
	const hints = new Set(reasons.map((reason) => notSent(reason).hint));
	for (const hint of hints) expect(hint).toMatch(/^Not sent: \w/);
	expect(hints.size).toBe(reasons.length);
});

test('of a sample email, the editor shows the text that would have been sent, or else the HTML, without tags', () => {
	const hintOf = (content: object) => sampleResult(TO_ADA, { files: [], ...content }).hint;
	expect(hintOf({ text: 'Your order', html: '<b>Other</b>' })).toMatch(
		/ada@example\.org.*Your order$/,
	);
	const ofHtml = hintOf({ html: '<b>Your order</b><script>' });
	expect(ofHtml).toContain('Your order');
	expect(ofHtml).not.toMatch(/[<>]/);
	expect(hintOf({ text: 'x'.repeat(100_000) })?.length).toBeLessThan(1_000);
});
