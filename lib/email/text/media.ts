/** The width of the screen on which people read email, in pixels. */
const SCREEN = 800;

const WIDTH = /^\( ?(min|max)-width ?: ?(\d+(?:\.\d+)?|\.\d+)(px|em|rem) ?\)$/;

/** Whether the rules for these media apply; undefined for a condition that is not read. */
export function matchMedia(query: string): boolean | undefined {
	const written = query.trim().toLowerCase().replace(/\s+/g, ' ');
	const results = written.split(',').map((list) => {
		const conditions = list
			.trim()
			.replace(/^only /, '')
			.split(' and ')
			.map(matchCondition);
		return conditions.includes(false) ? false : conditions.includes(undefined) ? undefined : true;
	});
	return results.includes(true) ? true : results.includes(undefined) ? undefined : false;
}

function matchCondition(condition: string): boolean | undefined {
	if (/^(?:all|screen)?$/.test(condition)) return true;
	const [, bound, length, unit] = WIDTH.exec(condition) ?? [];
	if (bound === undefined) return undefined;
	const pixels = Number(length) * (unit === 'px' ? 1 : 16);
	return bound === 'min' ? SCREEN >= pixels : SCREEN <= pixels;
}
