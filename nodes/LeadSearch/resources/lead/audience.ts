/** Which part of an audience nobody is in: questions that free previews answer. */
import type { Json } from '../../api/contract';
import {
	hintNobodysFilter,
	hintNobodysValues,
	hintOtherNames,
	type LabelledFilters,
} from '../../messages/hints';
import { MAX_LOOKS, type Look, type Question } from '../operation';
import { forPreview, labelled, narrows } from './filters';
import { otherNames } from './otherNames';

/**
 * Of an audience without anybody: under which other names somebody is in it, such as United States for USA, else
 * which filters let somebody in, each left out alone.
 */
export function whichFilterIsNobodys(filters: Json): Question {
	return async (hasLeads) => {
		const narrowing = Object.keys(filters).filter((field) => narrows({ [field]: filters[field] }));
		const empties: string[] = [];
		for (const field of narrowing.slice(0, MAX_LOOKS)) {
			const rest = forPreview({ ...filters, [field]: undefined });
			// All others together are the whole database.
			if (narrows(rest) ? await hasLeads(rest) : narrowing.length === 1) empties.push(field);
		}
		const names: string[] = [];
		for (const field of empties)
			names.push(...(await namesThatMatch(filters, field, [filters[field]].flat(), hasLeads)));
		if (names.length > 0) return hintOtherNames(names);
		if (narrowing.length < 2) return hintNobodysFilter([]);
		return hintNobodysFilter(labelsOf(filters, empties));
	};
}

/**
 * Of lists of values: which of them add nobody, where others of the same list do.
 *
 * @param rows of those who match: values that they show need no preview
 */
export function whichValueIsNobodys(filters: Json, rows: Json[] = []): Question {
	return async (hasLeads) => {
		const nobodys: LabelledFilters = [];
		const names: string[] = [];
		for (const [field, list] of Object.entries(filters)) {
			if (!Array.isArray(list) || list.length < 2) continue;
			const values: unknown[] = list;
			const hidden = values.filter((value) => !isShown(field, value, rows));
			const missing: unknown[] = [];
			let matching = values.length - hidden.length;
			for (const value of hidden) {
				const isAnybodys = await hasLeads(forPreview({ ...filters, [field]: [value] }));
				if (isAnybodys === false) missing.push(value);
				if (isAnybodys === true) matching += 1;
			}
			if (missing.length === 0 || matching === 0) continue;
			nobodys.push(...labelled({ [field]: missing }));
			names.push(...(await namesThatMatch(filters, field, missing, hasLeads)));
		}
		return nobodys.length > 0 && hintNobodysValues(nobodys, names);
	};
}

/** @returns for each of these values the first of its other names that somebody has, if any */
async function namesThatMatch(
	filters: Json,
	field: string,
	values: unknown[],
	hasLeads: Look,
): Promise<string[]> {
	const names: string[] = [];
	for (const value of values)
		for (const name of otherNames(field, value))
			if (await hasLeads(forPreview({ ...filters, [field]: [name] }))) {
				names.push(name);
				break;
			}
	return names;
}

/** Where a row shows what is filtered by (contract, "Lead record"); of a job title, a part. */
const SHOWN_IN: Readonly<Record<string, string>> = {
	job_titles: 'job_title',
	person_location_country: 'country',
};

function isShown(field: string, value: unknown, rows: Json[]): boolean {
	const shownIn = SHOWN_IN[field];
	if (shownIn === undefined || typeof value !== 'string') return false;
	const text = value.toLowerCase();
	return rows.some((row) => {
		const shown = row[shownIn];
		if (typeof shown !== 'string') return false;
		const isPart = field === 'job_titles';
		return isPart ? shown.toLowerCase().includes(text) : shown.toLowerCase() === text;
	});
}

function labelsOf(filters: Json, fields: string[]): string[] {
	return fields.flatMap((field) => labelled({ [field]: filters[field] }).map(([label]) => label));
}
