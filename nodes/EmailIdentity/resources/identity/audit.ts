import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { toIdentity } from '../../api/resources';
import type { DomainCheck } from '../../dns/domain/domainCheck';
import { dnsResolverField, dnsResolverProblem } from '../../dns/resolverField';
import { readSwitch } from '../../shared/switches';
import type { Session } from '../operation';
import { auditIdentities } from './auditIdentities';
import { SEVERITIES, type Severity } from './auditRule';
import type { auditDns } from './dnsAudit';

const DEFAULT_STALE_AFTER_DAYS = 7;
const DEFAULT_SEVERITY: Severity = 'warning';

export const description: INodeProperties[] = [
	{
		displayName: 'Options',
		name: 'auditOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Check DNS',
				name: 'checkDns',
				type: 'boolean',
				default: false,
				description:
					'Whether to ask the DNS of each domain, too: are the records there that the service needs, does mail arrive, and do receivers believe what is sent (SPF, DKIM, DMARC)',
			},
			dnsResolverField(),
			{
				displayName: 'Minimum Severity',
				name: 'minimumSeverity',
				type: 'options',
				options: [
					{ name: 'Error', value: 'error', description: 'Only what is broken' },
					{ name: 'Info', value: 'info', description: 'Everything worth knowing' },
					{ name: 'Warning', value: 'warning', description: 'What is broken or may become so' },
				],
				default: DEFAULT_SEVERITY,
				description: 'How severe a finding must be to be reported',
			},
			{
				displayName: 'Only With Findings',
				name: 'onlyWithFindings',
				type: 'boolean',
				default: false,
				description: 'Whether to return only identities for which something was found',
			},
			{
				displayName: 'Stale After Days',
				name: 'staleAfterDays',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: DEFAULT_STALE_AFTER_DAYS,
				description:
					'For how many days a domain may wait for its verification before that is an error',
			},
		],
	},
];

interface Options {
	checkDns?: unknown;
	dnsResolver?: string;
	minimumSeverity?: string;
	onlyWithFindings?: unknown;
	staleAfterDays?: number;
}

/** What is wrong with each identity of the account, from one request for all of them, and with Check DNS from the DNS. */
export async function execute(
	{ context, service }: Session,
	itemIndex: number,
): Promise<IDataObject[]> {
	const options = context.getNodeParameter('auditOptions', itemIndex, {}) as Options;
	const staleAfterDays = Number(options.staleAfterDays ?? DEFAULT_STALE_AFTER_DAYS);
	const minimumSeverity = SEVERITIES.find(
		(severity) => severity === (options.minimumSeverity ?? DEFAULT_SEVERITY),
	);
	if (!(staleAfterDays >= 0) || minimumSeverity === undefined) {
		throw new NodeOperationError(context.getNode(), 'The audit options cannot be used', {
			itemIndex,
			description: `Stale After Days must be a number of at least 0, Minimum Severity one of ${SEVERITIES.join(', ')}.`,
		});
	}
	const isOn = (label: string, value: unknown = false) =>
		readSwitch(context.getNode(), label, value, itemIndex);
	const checksDns = isOn('Check DNS', options.checkDns);
	const onlyWithFindings = isOn('Only With Findings', options.onlyWithFindings);
	const resolvers = String(options.dnsResolver ?? '');
	const resolverProblem = checksDns ? dnsResolverProblem(resolvers) : undefined;
	if (resolverProblem !== undefined) {
		throw new NodeOperationError(context.getNode(), resolverProblem, { itemIndex });
	}
	const identities = (await service.listIdentities()).map(toIdentity);
	const dns = checksDns ? await checkDns(context, identities, resolvers) : undefined;
	const results = auditIdentities(identities, {
		staleAfterDays,
		minimumSeverity,
		now: Date.now(),
		dns,
	});
	return results
		.filter(({ findings }) => !onlyWithFindings || findings.length > 0)
		.map((result) => ({ ...result }) as unknown as IDataObject);
}

/** What asks the DNS is loaded when it is first wanted. */
async function checkDns(...asked: Parameters<typeof auditDns>): Promise<Map<string, DomainCheck>> {
	const dnsAudit = await import('./dnsAudit');
	return await dnsAudit.auditDns(...asked);
}
