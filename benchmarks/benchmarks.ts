import { auditDns } from './actions/auditDns';
import { identities10k } from './actions/identities10k';
import { messages429, messages500 } from './actions/messages';
import { authentication } from './authentication/authentication';
import { deliver1m } from './deliver/deliver1m';
import { deliver4k } from './deliver/deliver4k';
import { growth } from './growth/growth';
import { hostile } from './hostile/hostile';
import { load } from './load/load';
import { parse } from './parse/parse';
import { remember } from './remember/remember';
import { replies } from './replies/replies';
import type { Benchmark } from './types';
import { weight } from './weight/weight';

/** In the order of the table. */
export const BENCHMARKS: readonly Benchmark[] = [
	deliver4k,
	deliver1m,
	authentication,
	messages500,
	messages429,
	identities10k,
	auditDns,
	load,
	weight,
	parse,
	replies,
	hostile,
	remember,
	growth,
];
