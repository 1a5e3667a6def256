/** Loaded into n8n with `--require`: sends the requests for the fixed URL of the SendGrid node to a server of the test. */
const http = require('node:http');
const https = require('node:https');

const { request } = https;

https.request = (options, ...rest) => {
	if (options.hostname !== 'api.sendgrid.com') return request(options, ...rest);
	const { method, path, headers } = options;
	const port = process.env.SENDGRID_PORT;
	return http.request({ method, path, headers, host: '127.0.0.1', port }, ...rest);
};
