import type { AuditRule } from './auditRule';
import { DNS_RULES } from './dnsRules';
import { STATUS_RULES } from './statusRules';

/**
 * What can be wrong with an identity. A new rule is a new entry of one of the tables. Of equally severe findings, the summary
 * names the first: a record that can be changed comes before a status that follows from it.
 */
export const AUDIT_RULES: readonly AuditRule[] = DNS_RULES.concat(STATUS_RULES);
