import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../../api/data/json';
import { readFlag } from '../../api/data/resources';
import type { ParameterContext } from './settings';

/** A setting for each value of a collection. */
export type SettingTable<Values> = { [Name in keyof Values]-?: Setting<Values[Name]> };

/** An entry of a collection: its field in the editor and how its value is read. */
interface Setting<Value> {
	field: Field;
	/** @param given the value of the field or of its expression; undefined if the setting was not added */
	read(given: unknown): Value;
}

/** The name comes from the table. */
type Field = Omit<INodeProperties, 'name'>;

/** The type comes from the function; without a default, it is empty. */
type GivenField = Partial<Field> & Pick<Field, 'displayName'>;

export function text(field: GivenField): Setting<string> {
	const offered = String(field.default ?? '');
	return {
		field: { default: '', ...field, type: 'string' },
		read: (given) => String(given ?? offered).trim(),
	};
}

/** A switch is on when it is added. Publishing refuses an expression that is neither true nor false; here it is off. */
export function added(field: GivenField): Setting<boolean> {
	return {
		field: { ...field, type: 'boolean', default: true },
		read: (given) => readFlag(given) ?? false,
	};
}

interface ChoiceField<Value extends string> extends Omit<GivenField, 'default' | 'options'> {
	/** Also for an unknown value, for example of an expression. */
	default: Value;
	options: Array<{ name: string; value: Value; description: string }>;
}

export function choice<Value extends string>(field: ChoiceField<Value>): Setting<Value> {
	return {
		field: { ...field, type: 'options' },
		read(given) {
			const chosen = field.options.find(({ value }) => value === given);
			return chosen?.value ?? field.default;
		},
	};
}

/** A collection in the editor. */
export interface CollectionField extends INodeProperties {
	options: INodeProperties[];
}

export function collectionField<Values>(
	names: { name: string; displayName: string; placeholder: string },
	table: SettingTable<Values>,
): CollectionField {
	const options: INodeProperties[] = [];
	for (const [name, { field }] of Object.entries<Setting<unknown>>(table)) {
		options.push({ ...field, name });
	}
	return { ...names, type: 'collection', default: {}, options };
}

/** The settings of a collection that were added; empty if an expression gives something else. */
export function readCollection(context: ParameterContext, name: string): Record<string, unknown> {
	const given = context.getNodeParameter(name, {});
	return isObject(given) ? given : {};
}

/** n8n fills in no defaults of settings that were not added. */
export function readTable<Values>(
	table: SettingTable<Values>,
	given: Record<string, unknown>,
): Values {
	const values: Partial<Values> = {};
	for (const name of Object.keys(table) as Array<keyof Values & string>) {
		values[name] = table[name].read(given[name]);
	}
	return values as Values;
}
