/** Its tables only: its loader imports what n8n allows no node to import. */
declare module 'iconv-lite/encodings/*' {
	const tables: Record<string, string | { chars: string }>;
	export default tables;
}
