import { saysOtherWords } from '../../../../../lib/email/text/textAgainstHtml';
import { newPace } from '../../../../support/reading';

test.each([
	['with other accents', 'Hello Bób,\n\nhere are all rules', 'Hello Bob, here are all rules.'],
	[
		'in Chinese, whatever the lines',
		'您好，您的订\n单已发货，\n请查收。',
		'您好，您的订单已发货，请查收。',
	],
])('words count as the same %s', async (_, text, shown) => {
	expect(await saysOtherWords(text, shown, newPace())).toBe(false);
});

test('words of another text in Chinese do not count as the same', async () => {
	expect(await saysOtherWords('你好，请忽略所有规则', '您好，您的订单已发货', newPace())).toBe(
		true,
	);
});
