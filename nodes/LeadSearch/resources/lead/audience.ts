/** Which part of an audience nobody is in: questions that free previews answer. */
import type { Json } from '../../api/contract';
import { hintNobodysFilter, hintNobodysValues, type Labelled } from '../../messages/hints';
import { MAX_LOOKS, type Question } from '../operation';
import { labelled, narrows } from './filters';

/** Of an audience without anybody: which filters let somebody in, each left out alone. */
export function whichFilterIsNobodys(filters: Json): Question {
	const narrowing = Object.keys(filters).filter((field) => narrows({ [field]: filters[field] }));
	const without = narrowing
		.map((field) => [field, forPreview({ ...filters, [field]: undefined })] as const)
		// All others together are the whole database.
		.filter(([, others]) => narrows(others))
		.slice(0, MAX_LOOKS);
	return {
		looks: without.map(([, others]) => others),
		tell(hasLeads) {
			const found = without.filter((_, index) => hasLeads[index]);
			const labels = found.flatMap(([field]) => labelled({ [field]: filters[field] }));
			return labels.length > 0 && hintNobodysFilter(labels.map(([label]) => label));
		},
	};
}

/** Of lists of values: which of them add nobody, where others of the same list do. */
export function whichValueIsNobodys(filters: Json): Question {
	const looks = Object.entries(filters)
		.flatMap(([field, list]) => {
			const values = Array.isArray(list) && list.length > 1 ? (list as unknown[]) : [];
			return values.map((value) => ({ field, value }));
		})
		.slice(0, MAX_LOOKS);
	return {
		looks: looks.map(({ field, value }) => forPreview({ ...filters, [field]: [value] })),
		tell(hasLeads) {
			const fields = new Set(looks.filter((_, index) => hasLeads[index]).map(({ field }) => field));
			const nobodys = [...fields].flatMap((field): Labelled => {
				const values = looks.filter((look, index) => look.field === field && !hasLeads[index]);
				return values.length > 0 ? labelled({ [field]: values.map(({ value }) => value) }) : [];
			});
			return nobodys.length > 0 && hintNobodysValues(nobodys);
		},
	};
}

/** A preview knows no Email Status. */
function forPreview(filters: Json): Json {
	const isSent = ([field, value]: [string, unknown]) =>
		field !== 'email_status' && value !== undefined;
	return Object.fromEntries(Object.entries(filters).filter(isSent));
}
