import { stopping } from './shareN8n';

export default async function stopSharedN8n(): Promise<void> {
	await stopping.stopSharedN8n?.();
}
