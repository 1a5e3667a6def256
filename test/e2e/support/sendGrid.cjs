/** Loaded into n8n with `--require`: sends the requests for the fixed URL of the SendGrid node to a server of the test. */
const { promises: dns } = require('node:dns');
const http = require('node:http');
const https = require('node:https');

const HOST = 'api.sendgrid.com';
const THIS_MACHINE = { address: '127.0.0.1', family: 4 };

const { lookup } = dns;
const { request } = https;

// n8n's protection against requests into private networks asks for the address first.
dns.lookup = async (name, options) => {
	if (name !== HOST) return await lookup(name, options);
	return options.all ? [THIS_MACHINE] : THIS_MACHINE;
};

https.request = (options, ...rest) => {
	if (options.hostname !== HOST) return request(options, ...rest);
	const { method, path, headers } = options;
	const port = process.env.SENDGRID_PORT;
	return http.request({ method, path, headers, host: THIS_MACHINE.address, port }, ...rest);
};
