/** Other names of the same: what people write for a country or a level of seniority, and what the service may call it. */

/** By ISO 3166 codes, what people write that `Intl` doesn't have; the likeliest name first. */
const COUNTRIES: Readonly<Record<string, string>> = {
	AE: 'United Arab Emirates, UAE, Emirates',
	CZ: 'Czechia, Czech Republic',
	GB: 'United Kingdom, UK, Great Britain, Britain, England, Scotland, Wales',
	KR: 'South Korea, Korea',
	NL: 'Netherlands, The Netherlands, Holland',
	US: 'United States, United States of America, America, USA',
};

/** The contract shows `owner` and `cxo` ("Search filters"). */
const SENIORITIES = [
	'cxo, C-Level, C-Suite, CLevel, C Suite, Chief, CEO, Executive',
	'owner, Founder, Proprietor, Business Owner',
];

/** Languages in which people write the names of countries. */
const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'pt'];

/** So many are worth asking for. */
const MOST = 3;

type Names = ReadonlyMap<string, readonly string[]>;

/** All names of the same, by each of them as {@link plain} has it; made when it is first needed. */
const tables: Record<string, { make: () => Names; made?: Names }> = {
	person_location_country: { make: countryNames },
	job_title_seniority: { make: () => namesBy(SENIORITIES.map((titles) => titles.split(', '))) },
};

/**
 * @param field of the contract's filters
 * @example otherNames('person_location_country', 'Holland'); // ['Netherlands', 'The Netherlands', 'NL']
 * @returns what else the service may call it, the likeliest first; none for what isn't known
 */
export function otherNames(field: string, value: unknown): string[] {
	const table = tables[field];
	if (!table || typeof value !== 'string') return [];
	table.made ??= table.make();
	const names = table.made.get(plain(value)) ?? [];
	return names.filter((name) => name !== value).slice(0, MOST);
}

function countryNames(): Names {
	const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
	const codes = letters.flatMap((a) => letters.map((b) => a + b));
	const inLanguage = (language: string) =>
		new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
	const english = inLanguage('en');
	const languages = LANGUAGES.map(inLanguage);
	return namesBy(
		codes.flatMap((code): string[][] => {
			const name = english.of(code);
			if (name === undefined) return [];
			const [first = name, ...aliases] = COUNTRIES[code]?.split(', ') ?? [];
			const translated = languages.flatMap((names) => names.of(code) ?? []);
			// The service may know the code, and hardly a translation.
			return [[...new Set([first, name, code, ...aliases, ...translated])]];
		}),
	);
}

function namesBy(groups: string[][]): Names {
	const byText = new Map<string, readonly string[]>();
	for (const group of groups)
		for (const name of group)
			for (const text of [plain(name), plain(spelledOut(name))])
				if (!byText.has(text)) byText.set(text, group);
	return byText;
}

/** As people write umlauts that their keyboard lacks. */
function spelledOut(name: string): string {
	return name.replace(/[äöü]/gi, (letter) => `${plain(letter)}e`);
}

/** A name without what people leave out: accents, marks, blanks, capitals. */
function plain(name: string): string {
	return name
		.normalize('NFD')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}
