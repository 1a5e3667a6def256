import { Pace } from '../../../../../../lib/basics';
import { HTML_LIMITS } from '../../../../../../lib/email/text/htmlLimits';
import { walkHtml } from '../../../../../../lib/email/text/walk/walkHtml';

const IDLE_VISITOR = { startElement() {}, endElement() {}, addText() {} };

test('twice the HTML takes twice as many turns', async () => {
	const turnsFor = async (html: string) => {
		const turn = jest.fn(async () => {});
		await walkHtml(html, IDLE_VISITOR, { pace: new Pace(turn), limits: HTML_LIMITS });
		return turn.mock.calls.length;
	};
	const paragraph = '<p>Hello</p>';
	const turns = await turnsFor(paragraph.repeat(50_000));
	expect(turns).toBeGreaterThan(10);
	expect(await turnsFor(paragraph.repeat(100_000))).toBeLessThanOrEqual(2.5 * turns);
});

test('many invisible characters are read with pauses', async () => {
	let [read, most] = [0, 0];
	const pace = new Pace(async () => void (read = 0));
	const addText = (text: string) => void (most = Math.max(most, (read += text.length)));
	const visitor = { ...IDLE_VISITOR, addText };
	await walkHtml('x\u200c'.repeat(500_000), visitor, { pace, limits: HTML_LIMITS });
	expect(most).toBeLessThanOrEqual(100_000);
});
