export { checkDomains, type DomainCheck } from './audit/auditDomain';
export { type DomainToCheck, toRequiredRecord } from './audit/requiredRecords';
export { type DnsProblem, type DnsProblemCode, type RecordDetail } from './audit/problems';
export { readDkimKey, type DkimKey } from './dkimKey';
export { Dmarc, type DmarcPolicy, readTagList } from './dmarc';
export {
	isSameOrganization,
	loadPublicSuffixes,
	organizationalDomain,
	toDomainName,
} from './organizations';
export {
	type DnsAnswer,
	type DnsResolver,
	type DnsResolverOptions,
	type FetchBytes,
	HttpsResolver,
	LIMITS_OF_AN_EMAIL,
	Questions,
} from './resolver/httpsResolver';
