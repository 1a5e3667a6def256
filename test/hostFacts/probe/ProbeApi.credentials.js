/** Gives its key to every request. */
exports.ProbeApi = class {
	name = 'probeApi';
	displayName = 'Probe API';
	properties = [{ displayName: 'Key', name: 'key', type: 'string', default: '' }];

	authenticate = async (credential, request) => ({
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${credential.key}` },
	});
};
