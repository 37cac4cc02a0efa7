/**
 * Collections, such as Filters and Options, as they are written into a workflow. Names that they don't know are
 * refused with the right ones: without a filter, or a maximum, a search would buy what nobody wants.
 */
import { isObject, type Json } from '../api/contract';
import { InvalidParameterError, show } from './invalidParameter';
import {
	isEmpty,
	itemValues,
	propertiesOf,
	readAll,
	type Parameter,
	type Parameters,
	type ParameterValues,
	type ValuesOf,
} from './parameter';

/** Filters of some operation, each with other names that people and models write for it, as {@link lettersOf} has them. */
const FILTERS: OtherNames = {
	emailStatus: 'email verified emailverified emailverification emailquality',
	jobTitleSeniority:
		'seniority level joblevel senioritylevel jobseniority personseniority managementlevel rank',
	jobTitles: 'title job role position occupation personjobtitle persontitle jobrole jobfunction',
	otherFilters:
		'filter company companyname companysize companydomain companycountry companylocation companyindustry domain website industry employee employeecount headcount revenue city state region personcity personstate keyword technology department skill school name firstname lastname',
	personLocationCountry:
		'country location personcountry personlocation countryname countrycode personcountrycode locationcountry contactcountry geography geo',
};

/** The same of options. */
const OPTIONS: OtherNames = {
	includeEmails: 'email withemail returnemail',
	includePersonalEmails: 'personalemail withpersonalemail',
	includePhones: 'phone mobile mobilephone withphone includemobile includemobilephone returnphone',
	includeRaw: 'raw withraw',
	includeUsage: 'usage',
	includeWorkEmails: 'workemail withworkemail',
	maxRetries: 'retry retrycount maxtry',
	onlyWithEmails: 'onlyemail emailonly requireemail hasemail mustemail',
	pageSize: 'perpage pagelimit limitperpage resultperpage batchsize',
	parallelPages: 'parallel parallelrequest concurrency concurrent',
	reusePaidResults: 'reuse reuseresult reuseminute reusepaidresultsminute cache cacheminute',
	skip: 'offset start startat page from',
	timeout: 'timeoutsecond timeoutm timeoutmillisecond requesttimeout',
	unmatched: 'unmatchedurl notfound includenotfound returnnotfound',
};

/** The same of parameters that stand beside collections, or in that of the trigger alone. */
const BESIDE: OtherNames = {
	includeInputFields: 'inputfield includeinput keepinput',
	leadsPerPoll: 'limit maxresult maxlead lead',
	limit: 'maxresult maxrow maxlead result row lead count number size',
	linkedinUrls: 'url linkedinurl profile',
	maxCredits: 'maxcreditsperexecution maxcreditperexecution credit creditlimit maxspend budget',
	maxCreditsInTotal: '',
	maxCreditsPerDay: 'maxcredit maxcreditday credit creditlimit budget dailylimit',
	returnAll: 'all fetchall getall',
	simplify: 'simple simplified',
};

type OtherNames = Readonly<Record<string, string>>;

/** By the names of the collections. */
export const COLLECTIONS: Readonly<Record<string, OtherNames>> = {
	filters: FILTERS,
	options: OPTIONS,
};

/** A collection, and what stands beside it. */
interface Collection {
	/** As people see it; its name is that in small letters. */
	label: string;
	known: Parameters;
	others: ParameterValues;
}

/**
 * The values of a collection.
 *
 * @throws InvalidParameterError for what is no object, and for names that neither it nor the same collection of
 * another operation knows: those stay when people choose another operation
 */
export function collectionValues(value: unknown, collection: Collection): ParameterValues {
	const { label, known } = collection;
	const isNone = isEmpty(value) || (Array.isArray(value) && value.flat().length === 0);
	const written = isNone ? {} : value;
	if (!isObject(written)) {
		const advice = `Write an object with the names and values that are set: ${namesOf(known)}.`;
		throw new InvalidParameterError(label, `is ${show(value)}, not an object`, advice);
	}
	refuseUnknown(written, collection);
	return itemValues(written, (name) => written[name]);
}

/**
 * The Options collection, its options in the order of their labels as n8n wants them.
 *
 * @param notOffered options that hardly anybody changes: a workflow's JSON may set them, the editor shows none
 */
export function optionsOf<Offered extends Parameters, NotOffered extends Parameters = Offered>(
	offered: Offered,
	notOffered?: NotOffered,
): Parameter<ValuesOf<Offered & NotOffered>> {
	const label = 'Options';
	const known = { ...offered, ...notOffered } as Offered & NotOffered;
	return {
		property: {
			displayName: label,
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: propertiesOf(offered).sort((one, other) =>
				one.displayName.localeCompare(other.displayName, 'en'),
			),
		},
		read: (value, others) => readAll(known, collectionValues(value, { label, known, others })),
	};
}

function refuseUnknown(written: Json, collection: Collection): void {
	const { label, known } = collection;
	const ofAnyOperation = COLLECTIONS[label.toLowerCase()] ?? {};
	const unknown = Object.keys(written)
		.filter((name) => !Object.hasOwn(known, name) && !Object.hasOwn(ofAnyOperation, name))
		.map((name) => ({ name, right: rightName(name, written, collection) }))
		// Where the right one is set, too, the other does no harm, and the editor has no way to take it out.
		.filter(({ right }) => right?.isSet !== true);
	if (unknown.length === 0) return;
	const quoted = unknown.map(({ name }) => `'${name}'`).join(' and ');
	const what = unknown.length > 1 ? 'names' : 'a name';
	const meant = unknown.flatMap(({ name, right }) =>
		right ? [`${right.text} in place of '${name}'`] : [],
	);
	const useless = unknown.flatMap(({ name, right }) => (right ? [] : [`'${name}'`]));
	const further =
		'otherFilters' in known ? " A further field of the service goes into 'otherFilters'." : '';
	const advice = [
		meant.length > 0 && `Write ${meant.join(', and ')}.`,
		useless.length > 0 &&
			`Take ${useless.join(' and ')} out: '${label}' has ${namesOf(known)}.${further}`,
	];
	throw new InvalidParameterError(
		label,
		`holds ${quoted}, ${what} that it doesn't know`,
		advice.filter((sentence) => sentence !== false).join(' '),
	);
}

/** @returns what is meant by a name, for advice, and whether that is set already; undefined where nothing is known of it */
function rightName(name: string, written: Json, { label, known, others }: Collection) {
	const letters = lettersOf(name);
	const meantIn = (table: OtherNames) =>
		Object.keys(table).filter(
			(right) => lettersOf(right) === letters || (table[right] ?? '').split(' ').includes(letters),
		);
	const within = [FILTERS, OPTIONS, BESIDE]
		.flatMap(meantIn)
		.find((right) => Object.hasOwn(known, right));
	const { displayName } = known[within ?? '']?.property ?? {};
	if (within !== undefined && displayName !== undefined)
		return { text: `'${within}' (${displayName})`, isSet: !isEmpty(written[within]) };
	const own = label.toLowerCase();
	const beside = meantIn(BESIDE).find((right) => others.has(right));
	if (beside !== undefined) {
		const isSet = String(others.get(beside)) === String(written[name]);
		return { text: `'${beside}' beside '${own}'`, isSet };
	}
	const [other] = Object.entries(COLLECTIONS).filter(([one]) => one !== own && others.has(one));
	const [elsewhere] = other ? meantIn(other[1]) : [];
	return other && elsewhere !== undefined
		? { text: `'${elsewhere}' in '${other[0]}'`, isSet: false }
		: undefined;
}

function namesOf(known: Parameters): string {
	const names = Object.keys(known).sort();
	return names.map((name) => `'${name}'`).join(', ');
}

/** What is left of a name however it is joined, written large or small, in the singular or plural. */
export function lettersOf(name: string): string {
	const words = name
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z]+/);
	return words.map((word) => word.replace(/ies$/, 'y').replace(/s$/, '')).join('');
}
