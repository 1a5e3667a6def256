import type { Dialect } from '../dialects/dialect';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** A key needs one of them; those for managing when left out. */
		scopes?: string[];
		/** Whether deployments of this dialect have the route; all have when left out. */
		isServed?: (dialect: Dialect) => boolean;
	}
}
