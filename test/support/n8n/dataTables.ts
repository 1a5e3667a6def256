import type { Session } from './session';

export type Row = Record<string, unknown> & { id: number };

/** Data tables of the owner's personal project. */
export class DataTables {
	constructor(private readonly session: Session) {}

	/** Creates a table from a CSV file, as **Create Data Table → Import CSV** does. @returns its ID */
	async importCsv(name: string, csv: string): Promise<string> {
		const form = new FormData();
		form.append('file', new File([csv], 'table.csv', { type: 'text/csv' }));
		type Upload = { id: string; columns: { name: string; type: string }[] };
		const upload = await this.session.call<Upload>('POST', '/rest/data-tables/uploads', form);
		const columns = upload.columns.map((column) => ({ name: column.name, type: column.type }));
		const table = { name, columns, fileId: upload.id, hasHeaders: true };
		return (await this.session.call<{ id: string }>('POST', await this.path(), table)).id;
	}

	/** All rows, oldest first. */
	async rows(id: string): Promise<Row[]> {
		const path = `${await this.path()}/${id}/rows`;
		const { data } = await this.session.call<{ data: Row[] }>('GET', path);
		return data.sort((a, b) => a.id - b.id);
	}

	/** Changes all rows in which a column has a value. */
	async update(id: string, [columnName, value]: [string, string], data: object): Promise<void> {
		const filter = { type: 'and', filters: [{ columnName, condition: 'eq', value }] };
		await this.session.call('PATCH', `${await this.path()}/${id}/rows`, { filter, data });
	}

	async delete(id: string): Promise<void> {
		await this.session.call('DELETE', `${await this.path()}/${id}`);
	}

	private async path(): Promise<string> {
		const { id } = await this.session.call<{ id: string }>('GET', '/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}
}
