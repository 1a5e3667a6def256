import { isDomain } from '../../../nodes/EmailIdentity/shared/identities';
import { auditResults } from '../../../nodes/EmailIdentity/resources/identity/audit';
import { domain, NOW } from '../resources/identity/identities';

test.each([
	['domain', 'example.test', true],
	['Domain', null, true],
	['host', 'example.test', true],
	['host', '@example.test', true],
	['host', 'sales@example.test', false],
	['host', null, false],
	[null, 'example.test', true],
	[null, 'sales@example.test', false],
	['email', 'sales@example.test', false],
	['EMAIL', 'example.test', false],
])('of kind %p with the value %p: a domain is %p, and audited as one', (kind, value, expected) => {
	const identity = domain({ kind, value });
	expect(isDomain(identity)).toBe(expected);
	const options = { staleAfterDays: 7, minimumSeverity: 'info', now: NOW } as const;
	const [audited] = auditResults([identity], options);
	expect(audited?.setup === 'domain').toBe(expected);
});
