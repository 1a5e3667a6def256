export type { Dialect } from './dialects/dialect';
export { dialectNames, dialects, type DialectName } from './dialects/presets';
export { startSandbox } from './sandbox';
export type * from './types';
