import type { EmailIdentityService, ServiceOptions } from '../../api/service';

/** What n8n lends to each hook. */
export interface Host {
	service(options: ServiceOptions): EmailIdentityService;
	log(level: 'error' | 'info' | 'warn', message: string): void;
}
