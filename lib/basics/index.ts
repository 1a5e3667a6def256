export * from './addresses';
export * from './boundedMap';
export * from './concurrency';
export * from './hosts';
export * from './logThrottle';
export * from './text';
export * from './time';
