import { ResolverOrder } from '../../../nodes/EmailIdentity/dns/resolverOrder';

const [FIRST, SECOND] = ['https://first.example/dns-query', 'https://second.example/dns-query'];

let order: ResolverOrder;

beforeEach(() => {
	order = new ResolverOrder();
});

afterEach(() => jest.restoreAllMocks());

/** Lets time pass on n8n's clock. */
function letPass(seconds: number): void {
	const now = Date.now() + seconds * 1000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
}

const asked = () => order.order([FIRST, SECOND]);
const wait = () => order.longestWait(FIRST, [SECOND]);

test('one that is down is asked last for half a minute, or until it answers', () => {
	order.learn(FIRST, 'down');
	expect(asked()).toEqual([SECOND, FIRST]);
	order.learn(FIRST, 'answers');
	expect(asked()).toEqual([FIRST, SECOND]);
	order.learn(FIRST, 'down');
	letPass(31);
	expect(asked()).toEqual([FIRST, SECOND]);
});

test('one that is doubted keeps its place, and the next one waiting for less long', () => {
	expect(wait()).toBe(Infinity);
	order.learn(FIRST, 'doubted');
	expect(asked()).toEqual([FIRST, SECOND]);
	expect(wait()).toBe(1000);
	order.learn(FIRST, 'answers');
	expect(wait()).toBe(Infinity);
	order.learn(FIRST, 'doubted');
	letPass(31);
	expect(wait()).toBe(Infinity);
});

test.each(['doubted', 'down'] as const)('nobody is hurried for one that is %s', (standing) => {
	order.learn(FIRST, 'doubted');
	order.learn(SECOND, standing);
	expect(wait()).toBe(Infinity);
	expect(order.longestWait(FIRST, [])).toBe(Infinity);
});

test('one that is good is not hurried', () => {
	order.learn(SECOND, 'down');
	expect(order.longestWait(FIRST, [SECOND])).toBe(Infinity);
	expect(order.longestWait(SECOND, [FIRST])).toBe(Infinity);
});
