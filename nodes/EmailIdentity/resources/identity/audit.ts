import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { toIdentity } from '../../api/resources';
import { dnsResolverField, dnsResolverProblem } from '../../shared/dnsResolver';
import { readSwitch } from '../../shared/switches';
import type { Operation, Session } from '../operation';
import { auditResults } from './auditResults';
import { SEVERITIES, type Severity } from './auditRule';

const DEFAULT_STALE_AFTER_DAYS = 7;
const DEFAULT_SEVERITY: Severity = 'warning';

const fields: INodeProperties[] = [
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

interface AuditParameters {
	staleAfterDays: number;
	minimumSeverity: Severity;
	onlyWithFindings: boolean;
	/** What the field DNS Resolver holds; undefined where the DNS is not to be asked. */
	resolvers: string | undefined;
}

function readParameters({ context }: Session, itemIndex: number): AuditParameters {
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
	const resolvers = checksDns ? String(options.dnsResolver ?? '') : undefined;
	const resolverProblem = resolvers === undefined ? undefined : dnsResolverProblem(resolvers);
	if (resolverProblem !== undefined) {
		throw new NodeOperationError(context.getNode(), resolverProblem, { itemIndex });
	}
	return { staleAfterDays, minimumSeverity, onlyWithFindings, resolvers };
}

/** One request for all identities of the account, and with Check DNS the DNS of their domains. */
export const auditIdentities: Operation = {
	name: 'Audit',
	value: 'audit',
	description: 'Find out what is wrong with each address and domain',
	action: 'Audit identities',
	fields,
	async execute(session, itemIndex) {
		const { context, service } = session;
		const { resolvers, onlyWithFindings, ...options } = readParameters(session, itemIndex);
		const identities = (await service.listIdentities()).map(toIdentity);
		const dns =
			resolvers === undefined
				? undefined
				: await (await import('./dnsAudit')).auditDns(context, identities, resolvers);
		return auditResults(identities, { ...options, now: Date.now(), dns })
			.filter(({ findings }) => !onlyWithFindings || findings.length > 0)
			.map((result) => ({ ...result }) as unknown as IDataObject);
	},
};
