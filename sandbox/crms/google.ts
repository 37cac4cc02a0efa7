/** Google: the list of spreadsheets, and values of sheets, as n8n's Google Sheets node 4.7 uses them. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { hosts } from './proxy';
import { admits, Customers, newSecret, unknownKey, type Fields, type Quota } from './site';

export interface Spreadsheet extends Quota {
	readonly id: string;
	/** The access token of the credential that may read the spreadsheet. */
	readonly secret: string;
	readonly title: string;
	/** The name of its only sheet. */
	readonly tab: string;
	/** Cells by row and column. The first row has the names of the columns. */
	readonly rows: unknown[][];
	/** Cells such as "Sheet1!B3" that nobody may edit. */
	readonly protectedCells: Set<string>;
}

/** The columns that the ready-made workflow needs. */
export const columnsOfLeads = ['name', 'linkedin_url', 'email', 'lookup'];

const gridProperties = { rowCount: 1000, columnCount: 26 };

/** Adds Google to a server. */
export function serveGoogle(server: FastifyInstance) {
	const spreadsheets = new Customers<Omit<Spreadsheet, keyof Quota>>();
	const drive = { constraints: { host: hosts.googleDrive } };
	const sheets = { constraints: { host: hosts.googleSheets } };

	/** Finds the spreadsheet of an access token. A request without a known token is refused. */
	const allowed = (request: FastifyRequest, reply: FastifyReply): Spreadsheet | undefined => {
		const spreadsheet = spreadsheets.find(request.headers.authorization);
		const { id = spreadsheet?.id } = request.params as { id?: string };
		if (!spreadsheet)
			void refuse(reply, 401, 'UNAUTHENTICATED', 'Request had invalid credentials.');
		else if (id !== spreadsheet.id)
			void refuse(reply, 404, 'NOT_FOUND', 'Requested entity was not found.');
		else if (admits(spreadsheet, reply, bodyOf(429, 'RESOURCE_EXHAUSTED', tooMany)))
			return spreadsheet;
		return undefined;
	};

	server.get('/drive/v3/files', drive, (request, reply) => {
		const spreadsheet = allowed(request, reply);
		if (!spreadsheet) return reply;
		const { id, title } = spreadsheet;
		return reply.send({ files: [{ id, name: title, webViewLink: addressOf(spreadsheet) }] });
	});

	server.get('/v4/spreadsheets/:id', sheets, (request, reply) => {
		const spreadsheet = allowed(request, reply);
		if (!spreadsheet) return reply;
		const properties = {
			sheetId: 0,
			title: spreadsheet.tab,
			index: 0,
			sheetType: 'GRID',
			gridProperties,
		};
		return reply.send({ sheets: [{ properties }] });
	});

	server.get<{ Params: { range: string } }>(
		'/v4/spreadsheets/:id/values/:range',
		sheets,
		(request, reply) => {
			const spreadsheet = allowed(request, reply);
			if (!spreadsheet) return reply;
			const { range } = request.params;
			const rows = rowsOf(spreadsheet, range);
			if (!rows) return refuseRange(reply, range);
			const values = withoutLast(
				spreadsheet.rows.slice(...rows).map((row) => withoutLast(row, isBlank)),
				isEmpty,
			);
			// An empty sheet has no values at all.
			const whole = `${spreadsheet.tab}!A1:Z1000`;
			return reply.send({
				range: whole,
				majorDimension: 'ROWS',
				...(values.length > 0 && { values }),
			});
		},
	);

	server.post<{ Body: Fields }>(
		'/v4/spreadsheets/:id/values::batchUpdate',
		sheets,
		(request, reply) => {
			const spreadsheet = allowed(request, reply);
			if (!spreadsheet) return reply;
			const { data, valueInputOption } = request.body as unknown as BatchUpdate;
			const strange = unknownKey(request.body, ['data', 'valueInputOption']);
			if (strange !== undefined) return refuse(reply, 400, invalid, `Unknown name "${strange}"`);
			if (!isInputOption(valueInputOption)) return refuse(reply, 400, invalid, noInputOption);
			const cells = data.map(({ range, values }) => ({
				range,
				place: placeOf(spreadsheet, range),
				values,
			}));
			const lost = cells.find(({ place }) => place === undefined);
			if (lost) return refuseRange(reply, lost.range);
			// A request writes all of its cells or none, as Google does.
			if (cells.some(({ range }) => spreadsheet.protectedCells.has(range)))
				return refuse(reply, 400, invalid, 'You are trying to edit a protected cell or object.');
			for (const { place, values } of cells) {
				if (place === undefined) continue;
				const row = rowAt(spreadsheet, place.row);
				while (row.length < place.column) row.push('');
				row[place.column] = values[0]?.[0] ?? '';
			}
			const responses = cells.map(({ range: updatedRange }) => ({ updatedRange }));
			return reply.send({ spreadsheetId: spreadsheet.id, responses });
		},
	);

	/** The response to the first request of Append Row: n8n asks for a row, and fills it in the next request. */
	server.post<{ Body: Fields }>(
		'/v4/spreadsheets/:id(^[^:/]+)::batchUpdate',
		sheets,
		(request, reply) => {
			const spreadsheet = allowed(request, reply);
			if (!spreadsheet) return reply;
			const { requests } = request.body as { requests?: unknown };
			const [{ appendDimension = {} } = {}, ...others] = requests as Array<Record<string, Fields>>;
			const { sheetId, dimension, length } = appendDimension;
			// n8n sends the number as a text.
			const isOfRows = Number(sheetId) === 0 && dimension === 'ROWS' && Number(length) > 0;
			if (!isOfRows || others.length > 0)
				return refuse(reply, 400, invalid, 'The stand-in adds rows, and nothing else');
			return reply.send({ spreadsheetId: spreadsheet.id, replies: [{}] });
		},
	);

	/** Writes rows by number, as Append Row does. A null leaves a cell unchanged. */
	server.put<{ Params: { range: string }; Querystring: Fields; Body: Partial<Values> }>(
		'/v4/spreadsheets/:id/values/:range',
		sheets,
		(request, reply) => {
			const spreadsheet = allowed(request, reply);
			if (!spreadsheet) return reply;
			const { range } = request.params;
			const { values = [] } = request.body;
			const [from = 0, to = Infinity] = rowsOf(spreadsheet, range) ?? [];
			if (to === Infinity) return refuseRange(reply, range);
			if (!isInputOption(request.query.valueInputOption))
				return refuse(reply, 400, invalid, noInputOption);
			if (values.length > to - from)
				return refuse(reply, 400, invalid, 'Requested writing within range, but tried beyond it');
			values.forEach((cells, index) => {
				const place = from + index;
				const row = rowAt(spreadsheet, place);
				cells.forEach((cell, column) => (row[column] = cell ?? row[column] ?? ''));
			});
			return reply.send({ spreadsheetId: spreadsheet.id, updatedRange: range });
		},
	);

	/** @param secret n8n keeps the first secret of a credential, even if the credential is saved again */
	const addSpreadsheet = (
		rows: unknown[][],
		title = 'Leads',
		secret = newSecret(),
		tab = 'Sheet1',
	): Spreadsheet => {
		const id = newSecret();
		return spreadsheets.add({ id, secret, title, tab, rows, protectedCells: new Set() });
	};
	return { addSpreadsheet, spreadsheets: () => spreadsheets.all() };
}

interface Values {
	readonly range: string;
	readonly values: readonly unknown[][];
}

interface BatchUpdate {
	readonly data: readonly Values[];
	readonly valueInputOption?: string;
}

const invalid = 'INVALID_ARGUMENT';
const noInputOption = "'valueInputOption' is required but not specified";
const isInputOption = (option: unknown) => option === 'RAW' || option === 'USER_ENTERED';
const tooMany =
	"Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user'";

/** The data of an OAuth2 credential for a spreadsheet after its owner has agreed, as n8n saves them. */
export function credentialData({ secret }: Pick<Spreadsheet, 'secret'>): Fields {
	const oauthTokenData = { access_token: secret, refresh_token: 'none', token_type: 'Bearer' };
	return { clientId: 'sandbox', clientSecret: 'sandbox', oauthTokenData };
}

/** The address of the spreadsheet in a browser. */
export function addressOf({ id }: Pick<Spreadsheet, 'id'>): string {
	return `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`;
}

function refuseRange(reply: FastifyReply, range: string) {
	return refuse(reply, 400, invalid, `Unable to parse range: ${range}`);
}

function refuse(reply: FastifyReply, code: number, status: string, message: string) {
	return reply.code(code).send(bodyOf(code, status, message));
}

const bodyOf = (code: number, status: string, message: string) => {
	return { error: { code, message, status } };
};

/** The rows of a range such as "Sheet1" or "'Sheet1'!2:3", from 0. The second number is exclusive. */
function rowsOf({ tab }: Spreadsheet, range: string): [from: number, to: number] | undefined {
	const plain = range.replaceAll("'", '');
	if (plain === tab) return [0, Infinity];
	if (!plain.startsWith(`${tab}!`)) return undefined;
	const [, first, last] = /^([1-9]\d*):([1-9]\d*)$/.exec(plain.slice(tab.length + 1)) ?? [];
	return first === undefined ? undefined : [Number(first) - 1, Number(last)];
}

/** Returns a row of the sheet. If the sheet is shorter, empty rows are added. */
function rowAt({ rows }: Spreadsheet, place: number): unknown[] {
	while (rows.length <= place) rows.push([]);
	return rows[place] ?? [];
}

/** Row and column of a range such as "Sheet1!B3", from 0. */
function placeOf({ tab }: Spreadsheet, range: string) {
	const cell = range.startsWith(`${tab}!`) ? range.slice(tab.length + 1) : '';
	const [, letter, row] = /^([A-Z])(\d+)$/.exec(cell) ?? [];
	if (letter === undefined || row === undefined) return undefined;
	const place = { row: Number(row) - 1, column: letter.charCodeAt(0) - 65 };
	return place.row >= 0 && place.row < gridProperties.rowCount ? place : undefined;
}

const isBlank = (cell: unknown) => cell === '' || cell === null || cell === undefined;
const isEmpty = (row: readonly unknown[]) => row.length === 0;

/** Removes empty cells at the end, as Google does. */
function withoutLast<T>(list: readonly T[], isNothing: (one: T) => boolean): T[] {
	return list.slice(0, list.findLastIndex((one) => !isNothing(one)) + 1);
}
