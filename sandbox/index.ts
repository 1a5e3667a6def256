export type { Dialect } from './dialects/dialect';
export type * from './types';
