import { openEmail } from '../../../../support/reading';
import { rows } from '../../../../support/rows';

const dateOf = async (written: string) =>
	(await openEmail(`Subject: Hi\r\nDate: ${written}\r\n\r\nText`)).date;

test('the tests run in a zone that is not UTC', () => {
	expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0);
});

test.each(
	rows(`
		a number | Mon, 01 Apr 2019 07:55:00 +0200 | 2019-04-01T05:55:00.000Z
		a number and a name | Mon, 01 Apr 2019 07:55:00 +0200 CEST | 2019-04-01T05:55:00.000Z
		a name and a number | Mon, 01 Apr 2019 07:55:00 GMT-0300 | 2019-04-01T10:55:00.000Z
		a number and a name that says something else | Mon, 01 Apr 2019 07:55:00 -0500 CEST | 2019-04-01T12:55:00.000Z
		a number and a name that nobody knows | Mon, 01 Apr 2019 07:55:00 +0200 W. Europe Daylight Time | 2019-04-01T05:55:00.000Z
		a number and a place | Mon, 01 Apr 2019 07:55:00 +0200 Europe/Berlin | 2019-04-01T05:55:00.000Z
		a number before the year | Mon Apr 1 07:55:00 +0200 2019 | 2019-04-01T05:55:00.000Z
		a number and half days | Mon, 01 Apr 2019 07:55:00 PM +0200 | 2019-04-01T17:55:00.000Z
		a known name | Mon, 01 Apr 2019 07:55:00 CET | 2019-04-01T06:55:00.000Z
		a known name in lower case | 1 Apr 19 07:55 jst | 2019-03-31T22:55:00.000Z
		a name of RFC 5322 | Mon, 01 Apr 2019 07:55:00 EDT | 2019-04-01T11:55:00.000Z
		a known name before the year | Mon Apr 1 07:55:00 CEST 2019 | 2019-04-01T05:55:00.000Z
		a single letter | Mon, 01 Apr 2019 07:55:00 A | 2019-04-01T07:55:00.000Z
		no zone | Thu, 17 Jul 2014 10:31:49 | 2014-07-17T10:31:49.000Z
		no zone and half days | 7/17/2014 10:31:49 PM | 2014-07-17T22:31:49.000Z
		no zone in ISO 8601 | 2014-07-17T10:31:49 | 2014-07-17T10:31:49.000Z
		ISO 8601 | 2014-07-17T10:31:49.123+02:00 | 2014-07-17T08:31:49.123Z
		no time | 17-Jul-2014 | 2014-07-17T00:00:00.000Z
		a day like the zone | 10:31 01-04-2019 -04 | 2019-01-04T14:31:00.000Z
		a day behind the time | 10:31 17-Jul-2014 | 2014-07-17T10:31:00.000Z
		two digits of a year | 19 Sep 91 12:41:43 GMT | 1991-09-19T12:41:43.000Z
		comments | (a) Fri, 21 (b) Nov(c)1997 09(d(e)):   55 : 06 -0600 (f\\)g) | 1997-11-21T15:55:06.000Z
		comments and blanks within the time | Fri, 21 Nov 1997 09(x):  55  :  06 -0600 | 1997-11-21T15:55:06.000Z
		a comment that does not end | Mon, 01 Apr 2019 07:55:00 +0200 (CEST | 2019-04-01T05:55:00.000Z
	`),
)('%s is read in the date %j', async (_what, written, expected) => {
	expect(await dateOf(written as string)).toBe(expected);
});

test.each([
	['a name that nobody knows', 'Mon, 01 Apr 2019 07:55:00 XYZT'],
	['a name of several zones', 'Mon, 01 Apr 2019 07:55:00 IST'],
	['a name of several words', 'Fri, 30 Aug 02 21:48:08 GMT Daylight Time'],
	['half days with dots', 'Mon, 01 Apr 2019 9:00 p.m.'],
	['a name in another script', 'Mon, 01 Apr 2019 07:55:00 北京'],
	['a number with two signs', 'Thu, 18 Jul 2002 14:57:14 +-0800'],
	['an hour that does not exist', 'Mon, 01 Apr 2019 25:55:00 +0200'],
	['a year before the calendar', 'Mon, 01 Apr -2019 07:55:00 +0200'],
	['words', 'yesterday'],
	['nothing', ''],
])('a date with %s is none', async (_what, written) => {
	expect(await dateOf(written)).toBeNull();
});
