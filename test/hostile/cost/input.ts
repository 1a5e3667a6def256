import { STRUCTURES, type Pieces, type StructureName } from './structures';
import { unitsOf, type Repeated } from './values';

/** An email in any size, as data. */
export interface Input {
	/** Unique. */
	name: string;
	structure: StructureName;
	/** They share the room. */
	fillings: Filling[];
}

/** What fills a place of an email. */
export interface Filling extends Repeated {
	place: keyof Pieces;
	/** Stands in front of all units; default: nothing. */
	before?: string;
	/** Stands behind them; default: nothing. */
	after?: string;
}

/** Below what is read of all headers together, and below the parts that an email may have. */
const MAX_HEADER = 400_000;
const MAX_LINES = 15_000;
const MAX_PICTURES = 1800;

/** Of a picture without its fields: its boundary, its type, its content. */
const PICTURE_LENGTH = 45;

/** @param size its characters, approximately */
export function writeInput({ structure, fillings }: Input, size: number): string {
	const pieces: Pieces = {
		fields: '',
		containers: [],
		htmlFields: '',
		html: '',
		text: '',
		pictures: [],
	};
	const each = size / fillings.length;
	for (const filling of fillings) {
		// What stands in a file is no header.
		if (structure === 'winmail.dat' && filling.place === 'pictures')
			pieces.pictures = unitsOf(filling, each);
		else fill(pieces, filling, each);
	}
	return STRUCTURES[structure](pieces);
}

function fill(pieces: Pieces, filling: Filling, room: number): void {
	const { place, before = '', after = '' } = filling;
	switch (place) {
		case 'html':
		case 'text':
			pieces[place] += before + unitsOf(filling, Math.floor(room)).join('') + after;
			break;
		case 'fields':
		case 'htmlFields':
			pieces[place] += before;
			pieces[place] += unitsOf(filling, Math.min(room, MAX_HEADER)).slice(0, MAX_LINES).join('');
			break;
		case 'containers':
			pieces.containers = unitsOf(filling, Math.min(room, MAX_HEADER));
			break;
		case 'pictures':
			pieces.pictures = pictures(filling, room);
	}
}

/** As many as fit into the room with all that a picture needs. */
function pictures(filling: Filling, room: number): string[] {
	const units = unitsOf(filling, Math.min(room, MAX_HEADER)).slice(0, MAX_PICTURES);
	const fitting = Math.ceil(room / (PICTURE_LENGTH + (units[0]?.length ?? 0)));
	return units.slice(0, fitting);
}
