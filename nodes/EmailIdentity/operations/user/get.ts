import { toUser } from '../../api/data/resources';
import type { Operation } from '../operation';

/** Contract, `GET /me`. */
export const getUser: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get the user that the API key belongs to',
	action: 'Get current user',
	fields: [],
	async execute({ service }) {
		const user = await service.getUser();
		return [{ ...toUser(user) }];
	},
};
