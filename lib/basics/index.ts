export * from './addresses';
export * from './cache';
export * from './concurrency';
export * from './hosts';
export * from './logThrottle';
export * from './text';
export * from './time';
