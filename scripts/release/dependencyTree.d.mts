export function dependencyTree(
	packages: Record<string, { dependencies?: object; optionalDependencies?: object }>,
	names: string[],
): Set<string>;
