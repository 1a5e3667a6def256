import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

/**
 * Has n8n refuse requests to this machine and into private networks from now on, as with N8N_SSRF_PROTECTION_ENABLED, or
 * allow them again. For all nodes of this process.
 */
export function forbidPrivateNetworks(isForbidden: boolean): void {
	Container.get(SsrfProtectionConfig).enabled = isForbidden;
}
