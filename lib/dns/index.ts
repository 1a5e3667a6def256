export { checkDomains, type DomainCheck } from './audit/auditDomain';
export {
	type DnsProblem,
	type DnsProblemCode,
	type DomainToCheck,
	type RecordDetail,
	toRequiredRecord,
} from './audit/required';
export { Dmarc, type DmarcPolicy, readTagList } from './dmarc';
export {
	isSameOrganization,
	loadPublicSuffixes,
	organizationalDomain,
	toDomainName,
} from './names';
export {
	type DnsResolver,
	type DnsResolverOptions,
	type FetchBytes,
	HttpsResolver,
	LIMITS_OF_AN_EMAIL,
	Questions,
} from './resolver/httpsResolver';
