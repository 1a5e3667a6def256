export { checkDomains, type DomainCheck } from './audit/auditDomain';
export { type DomainToCheck, type RequiredRecord, toRequiredRecord } from './audit/requiredRecords';
export { type DnsProblem, type DnsProblemCode, type RecordDetail } from './audit/problems';
export { readDkimKey, type DkimKey } from './dkimKey';
export { asciiDomain, toDomainName } from './domainNames';
export { type Alignment, Dmarc } from './dmarc';
export { type DmarcPolicy } from './dmarcRecord';
export { loadPublicSuffixes, type PublicSuffixes } from './publicSuffixes';
export { type FetchBytes } from './resolver/dnsOverHttps';
export {
	type DnsResolver,
	type DnsResolverOptions,
	HttpsResolver,
	LIMITS_OF_AN_EMAIL,
} from './resolver/httpsResolver';
export { type DnsAnswer } from './resolver/packet';
export { RecordedQuestions } from './resolver/recordedQuestions';
export { readTagList } from './tagList';
