/** Gives its key to every request, and asks n8n to leave it behind where a redirect leads to another origin. */
exports.ProbeApi = class {
	name = 'probeApi';
	displayName = 'Probe API';
	properties = [{ displayName: 'Key', name: 'key', type: 'string', default: '' }];

	authenticate = async (credential, request) => ({
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${credential.key}` },
		sendCredentialsOnCrossOriginRedirect: false,
	});
};
