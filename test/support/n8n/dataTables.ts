import type { Session } from './session';

interface Column {
	name: string;
	type: string;
}

export type Row = Record<string, unknown> & { id: number };

/** Data tables of the owner's personal project. */
export class DataTables {
	constructor(private readonly session: Session) {}

	/** Makes a table of a CSV file, as **Create Data Table → Import CSV** does. @returns its ID */
	async importCsv(name: string, csv: string): Promise<string> {
		const form = new FormData();
		form.append('file', new File([csv], 'table.csv', { type: 'text/csv' }));
		const { id: fileId, columns } = await this.session.call<{ id: string; columns: Column[] }>(
			'POST',
			'/rest/data-tables/uploads',
			form,
		);
		const { id } = await this.session.call<{ id: string }>('POST', await this.path(), {
			name,
			columns: columns.map((column) => ({ name: column.name, type: column.type })),
			fileId,
			hasHeaders: true,
		});
		return id;
	}

	/** All rows, oldest first. */
	async rows(id: string): Promise<Row[]> {
		const { data } = await this.session.call<{ data: Row[] }>(
			'GET',
			`${await this.path()}/${id}/rows`,
		);
		return data.sort((a, b) => a.id - b.id);
	}

	async delete(id: string): Promise<void> {
		await this.session.call('DELETE', `${await this.path()}/${id}`);
	}

	private async path(): Promise<string> {
		const { id } = await this.session.call<{ id: string }>('GET', '/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}
}
