// Starts the stand-in for the service alone: `npm run sandbox`, options in sandbox/README.md.
try {
	const { tsImport } = await import('tsx/esm/api');
	await tsImport('../sandbox/main.ts', import.meta.url);
} catch (error) {
	if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
	console.error('The development dependencies are missing: run "npm ci" first.');
	process.exitCode = 1;
}
