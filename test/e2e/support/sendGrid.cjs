/** Loaded into n8n with `--require`: the SendGrid node has a fixed URL, whose requests go to a server of the test. */
const http = require('node:http');
const https = require('node:https');

const { request } = https;

https.request = (options, ...rest) => {
	if (options.hostname !== 'api.sendgrid.com') return request(options, ...rest);
	const { method, path, headers } = options;
	const port = process.env.SENDGRID_PORT;
	return http.request({ method, path, headers, host: '127.0.0.1', port }, ...rest);
};
