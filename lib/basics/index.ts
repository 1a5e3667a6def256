export {
	identityKey,
	identityKeysOf,
	isMailFor,
	isSameMailbox,
	readPlusTag,
	splitAddress,
} from './addresses';
export { BoundedMap } from './boundedMap';
export { monotonicNow, wallClockNow } from './clock';
export { createKeyedQueue, createMemory, type KeyedQueue, type Memory, Turns } from './concurrency';
export {
	asciiDomain,
	canonicalUrl,
	isDnsName,
	isSameAddress,
	parseUrl,
	pathOf,
	toAsciiHost,
	toUrl,
} from './hosts';
export { LogThrottle } from './logThrottle';
export { Pace, type Pause } from './pace';
export {
	isDotOrBlank,
	normalized,
	plainLetters,
	restoreWindows1252,
	sortNaturally,
	trimEndOf,
	trimOf,
	withFullStop,
	withoutTags,
} from './text';
