/**
 * Warnings that the editor shows before and after runs. The conditions read `$rawParameter`, because the values of
 * expressions aren't known before a run.
 */
import type { NodeHint } from 'n8n-workflow';

import { LIST_FILTERS } from './lead/filters';

/** Declares a warning of the editor. `condition` is an n8n expression, without `={{` and `}}`. */
const createWarning = (message: string, condition: string): NodeHint => ({
	message,
	displayCondition: `={{ ${condition} }}`,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'always',
});

const FILTERS = '($rawParameter["filters"] ?? {})';

const HAS_NO_FILTER = `!Object.entries(${FILTERS}).some(([name, value]) => name !== "emailStatus" && !["", "{}"].includes(String(value ?? "").trim()))`;

/**
 * Whether a filter has a comma between values, on one line and without quotes, as in `parameters/lists.ts`. A value in
 * quotes becomes a single quote.
 */
const hasComma = (name: string) =>
	`[${FILTERS}["${name}"]].some((text) => typeof text === "string" && !/^[=[]|[\\n;]/.test(text.trim()) && /[^\\s",][^",]*,\\s*[^\\s,]/.test(text.replace(/["\\u201C-\\u201F\\u00AB\\u00BB][^"\\u201C-\\u201F\\u00AB\\u00BB]*["\\u201C-\\u201F\\u00AB\\u00BB]/g, '"')))`;

/** @param isPaid an expression for whether the operation costs credits */
export const filterWarnings = (isPaid: string) => [
	createWarning(
		'No filter is set, so the whole database matches, and nothing is bought',
		`${isPaid} && ${HAS_NO_FILTER}`,
	),
	createWarning(
		"'Email Status' is All, so it filters nothing",
		`${FILTERS}["emailStatus"] === "all"`,
	),
	...LIST_FILTERS.map(([name, label]) =>
		createWarning(
			`'${label}': a comma separates values. Put a value that contains one in quotes.`,
			hasComma(name),
		),
	),
];

export const phoneWarning = createWarning(
	"'Include Phones' is off: no phones come, and turning it on later costs all again",
	'$rawParameter["options"]?.["includePhones"] === false',
);

/** Whether nothing limits the cost of a node. A tool has a limit of its own, and a notice about it. */
const IS_UNLIMITED =
	'$rawParameter["returnAll"] === true && ($rawParameter["maxCredits"] ?? "") === "" && $rawParameter["toolDescription"] === undefined';

export const IS_SEARCH = '$parameter["operation"] === "buyLeads"';

export const returnAllWarnings = [
	createWarning(
		"'Return All' buys every lead that matches, for 1 credit each. To limit the cost, set 'Max Credits'. To count the leads for free, add a Lead Search node with the operation Count.",
		`${IS_SEARCH} && !${HAS_NO_FILTER} && ${IS_UNLIMITED}`,
	),
	createWarning(
		"'Return All' looks up every URL, for 1 credit per profile found. To limit the cost, set 'Max Credits'. To count the URLs for free, add a Lead Search node with the operation Check URLs.",
		`$parameter["operation"] === "buyProfiles" && ${IS_UNLIMITED}`,
	),
];
