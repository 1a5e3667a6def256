import type { EmailIdentityService, ServiceOptions } from '../../api/service';

/** Functions of n8n that each hook gets. */
export interface HookHost {
	service(options: ServiceOptions): EmailIdentityService;
	log(level: 'error' | 'info' | 'warn', message: string): void;
}
