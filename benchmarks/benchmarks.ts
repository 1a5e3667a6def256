import { deliver1m } from './deliver/deliver1m';
import { deliver4k } from './deliver/deliver4k';
import { load } from './load/load';
import { parse } from './parse/parse';
import { remember } from './remember/remember';
import type { Benchmark } from './types';
import { weight } from './weight/weight';

/** In the order of the table. */
export const BENCHMARKS: readonly Benchmark[] = [
	deliver4k,
	deliver1m,
	load,
	weight,
	parse,
	remember,
];
