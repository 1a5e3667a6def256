export { dialectNames, dialects, type Dialect, type DialectName } from './dialects';
export type { StoredMessage } from './message';
export { startSandbox, type Sandbox } from './sandbox';
export type * from './types';
