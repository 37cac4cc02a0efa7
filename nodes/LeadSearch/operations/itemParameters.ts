/**
 * The door: parameters of one input item are read and checked here, once, into typed values. What
 * doesn't fit is told with the parameter's label, before anything is sent.
 */
import { MAX_RESULTS, type Json } from '../service/contract';
import { readBaseUrl } from '../service/baseUrl';

/** A parameter that can't be used: its label, what is wrong with it, and what to write instead. */
export class BadParameter extends Error {
	constructor(
		readonly label: string,
		readonly complaint: string,
		readonly description: string,
	) {
		super(`'${label}' ${complaint}`);
		this.name = 'BadParameter';
	}
}

/** Rows wanted from a list, and how to fetch them. Checked. */
export interface Fetching {
	/** Rows to pass over. */
	skip: number;
	/** Rows wanted; Infinity for all. */
	rows: number;
	/** The largest page, in rows. */
	pageSize: number;
	/** The most pages under way at once. */
	parallelPages: number;
	/** How often a page is asked for again. */
	maxRetries: number;
	/** For one request, in milliseconds. */
	timeoutMs: number;
}

/** Page sizes when none is set, in rows. */
export const PAGE_SIZE = { preview: 100, search: 1_000, lookUp: 1_000 } as const;

/** The most pages that may be under way at once. */
export const MOST_PARALLEL_PAGES = 10;

export const DEFAULT_MAX_RETRIES = 3;
export const DEFAULT_TIMEOUT_SECONDS = 300;

/** The parameter that says how many rows are wanted. */
export interface CountParameter {
	label: string;
	name: string;
}

const LIMIT: CountParameter = { label: 'Limit', name: 'limit' };

/** Reads the parameters of one input item; `get` hands out their resolved values. */
export class ItemParameters {
	private readonly options: Json;

	constructor(private readonly get: (name: string) => unknown) {
		this.options = asObject(get('options'));
	}

	/** @throws BadParameter for a Limit, or an option about fetching, that is empty or out of range */
	fetching(
		defaultPageSize: number,
		{ label, name }: CountParameter = LIMIT,
		mostSkipped = MAX_RESULTS - 1,
	): Fetching {
		const skip = this.wholeOption('Skip', 'skip', 0, { from: 0, to: mostSkipped });
		return {
			skip,
			rows:
				this.get('returnAll') === true
					? Infinity
					: wholeNumber(label, this.get(name), { from: 1, to: MAX_RESULTS }),
			pageSize: this.wholeOption('Page Size', 'pageSize', defaultPageSize, {
				from: 1,
				to: MAX_RESULTS,
			}),
			parallelPages: this.wholeOption('Parallel Pages', 'parallelPages', 1, {
				from: 1,
				to: MOST_PARALLEL_PAGES,
			}),
			maxRetries: this.wholeOption('Max Retries', 'maxRetries', DEFAULT_MAX_RETRIES, {
				from: 0,
				to: 10,
			}),
			timeoutMs:
				1_000 *
				this.wholeOption('Timeout', 'timeout', DEFAULT_TIMEOUT_SECONDS, {
					from: 1,
					to: 3_600,
				}),
		};
	}

	/**
	 * @returns credits, Infinity where no Credit Budget is set
	 * @throws BadParameter
	 */
	creditBudget(): number {
		return this.wholeOption('Credit Budget', 'maxCredits', Infinity, {
			from: 1,
			to: Number.MAX_SAFE_INTEGER,
		});
	}

	/** A switch among the options. */
	option(name: string, preset: boolean): boolean {
		const value = this.options[name];
		return typeof value === 'boolean' ? value : preset;
	}

	/** A choice among the options. */
	choice<T extends string>(name: string, choices: readonly T[], preset: T): T {
		return choices.find((choice) => choice === this.options[name]) ?? preset;
	}

	simplify(): boolean {
		return this.get('simplify') !== false;
	}

	filters(): Json {
		return asObject(this.get('filters'));
	}

	value(name: string): unknown {
		return this.get(name);
	}

	/**
	 * @returns the address to put an endpoint's path behind
	 * @throws BadParameter
	 */
	baseUrl(): string {
		const reading = readBaseUrl(this.get('baseUrl'));
		if ('url' in reading) return reading.url;
		throw new BadParameter('Base URL', reading.complaint, BASE_URL_ADVICE);
	}

	private wholeOption(label: string, name: string, preset: number, range: Range): number {
		return Object.hasOwn(this.options, name)
			? wholeNumber(label, this.options[name], range)
			: preset;
	}
}

interface Range {
	from: number;
	to: number;
}

/** An expression that comes to nothing is refused: taking a default instead could cost money. */
function wholeNumber(label: string, value: unknown, { from, to }: Range): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isInteger(number) && number >= from && number <= to) {
		return number;
	}
	const range =
		to === Number.MAX_SAFE_INTEGER
			? `a whole number from ${from}`
			: `a whole number from ${from} to ${to.toLocaleString('en')}`;
	const isEmpty = value === undefined || value === null || value === '';
	const complaint = isEmpty ? 'is empty' : `is ${show(value)}, not ${range}`;
	throw new BadParameter(label, complaint, `Set '${label}' to ${range}.`);
}

export const BASE_URL_ADVICE =
	"Write the address of the lead search service, e.g. 'https://leads.example.com'.";

/** A value as a short text, for messages. */
export function show(value: unknown): string {
	const text = typeof value === 'string' ? `'${value}'` : showOther(value);
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function showOther(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	try {
		return JSON.stringify(value);
	} catch {
		return 'an object';
	}
}

function asObject(value: unknown): Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Json)
		: {};
}
