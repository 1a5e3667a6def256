import { load } from './load/load';
import { parse } from './parse/parse';
import { remember } from './remember/remember';
import type { Benchmark } from './types';
import { weight } from './weight/weight';

/** In the order of the table. */
export const BENCHMARKS: readonly Benchmark[] = [load, weight, parse, remember];
