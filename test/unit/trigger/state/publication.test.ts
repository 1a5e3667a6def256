import { TookTooLong } from '../../../../nodes/EmailIdentity/trigger/state/failureReports';
import {
	Publications,
	rememberFailure,
} from '../../../../nodes/EmailIdentity/trigger/state/publication';
import { failure } from '../delivery/support/requests';

let now: number;
let publications: Publications;

beforeEach(() => {
	now = 1_000;
	publications = new Publications(() => now);
});

test('the attempts of one publication share what they learned, for a minute', () => {
	const staticData = {};
	const first = publications.begin(staticData);
	expect(first).toMatchObject({ since: 1_000, attempts: 1, isClean: false });
	now += 59_999;
	expect(publications.begin(staticData)).toBe(first);
	expect(first.attempts).toBe(2);
	expect(publications.begin({})).not.toBe(first);
	now += 1;
	expect(publications.begin(staticData)).toMatchObject({ since: now, attempts: 1 });
});

test('an attempt counts as failed from its failure to the next attempt, or for a minute', () => {
	const staticData = {};
	const publication = publications.begin(staticData);
	expect(publications.failed(staticData)).toBeUndefined();
	rememberFailure(publication, new Error('No'));
	expect(publications.failed(staticData)).toBe(publication);
	publications.begin(staticData);
	expect(publications.failed(staticData)).toBeUndefined();
	rememberFailure(publication, new Error('No'));
	now += 60_000;
	expect(publications.failed(staticData)).toBeUndefined();
	expect(publications.failed({})).toBeUndefined();
});

test.each([
	['the status 401', failure(401), true],
	['the status 422', failure(422), true],
	['settings that are refused', new Error('Invalid settings'), true],
	['the status 404', failure(404), false],
	['the status 503', failure(503), false],
	['no answer in time', new TookTooLong(), false],
])('whether later attempts are refused at once, after %s', (_what, error, isLasting) => {
	const publication = publications.begin({});
	expect(rememberFailure(publication, error)).toBe(error);
	expect(publication.refusal).toBe(isLasting ? error : undefined);
});

test('at the deadline, the user reads the last answer of an earlier attempt', () => {
	const publication = publications.begin({});
	const busy = failure(429);
	rememberFailure(publication, busy);
	expect(rememberFailure(publication, new TookTooLong())).toBe(busy);
});

test('a thrown value that is no error is refused with its words', () => {
	const publication = publications.begin({});
	rememberFailure(publication, 'odd');
	expect(publication.refusal).toMatchObject({ message: 'odd.' });
});
