export type { Dialect } from './dialects';
export { dialectNames, dialects, type DialectName } from './dialects';
export { startSandbox } from './sandbox';
export type * from './types';
