const segmentPatterns: Record<string, string> = { '*': '[^/]+', '**': '.*' };

function segmentPattern(segment: string): string {
	if (segment.startsWith(':')) return '[^/]+';
	return segmentPatterns[segment] ?? segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Whether a path fits a pattern: `*` or `:name` is one segment, `**` any number.
 *
 * @param path relative to the base URL, without a query: `/webhooks/123`
 */
export function matchesPath(pattern: string, path: string): boolean {
	return new RegExp(`^${pattern.split('/').map(segmentPattern).join('/')}$`).test(path);
}
