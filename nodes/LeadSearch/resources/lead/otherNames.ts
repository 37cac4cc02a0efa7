/** Other names of the same: what people write for a country or a level of seniority, and what the service may call it. */

/** By ISO 3166 codes: English names beside the one that `Intl` has, and three-letter codes that people write. */
const COUNTRIES: Readonly<Record<string, string>> = {
	AE: 'United Arab Emirates, UAE, Emirates, ARE',
	AT: 'Austria, AUT',
	AU: 'Australia, AUS',
	BA: 'Bosnia and Herzegovina, Bosnia, BIH',
	BE: 'Belgium, BEL',
	BR: 'Brazil, BRA',
	CA: 'Canada, CAN',
	CH: 'Switzerland, CHE',
	CI: "Ivory Coast, Côte d'Ivoire, CIV",
	CN: "China, People's Republic of China, Mainland China, PRC, CHN",
	CV: 'Cape Verde, Cabo Verde, CPV',
	CZ: 'Czechia, Czech Republic, CZE',
	DE: 'Germany, DEU, GER',
	DK: 'Denmark, DNK',
	ES: 'Spain, ESP',
	FI: 'Finland, FIN',
	FR: 'France, FRA',
	GB: 'United Kingdom, UK, Great Britain, Britain, England, Scotland, Wales, Northern Ireland, GBR',
	HK: 'Hong Kong, HKG',
	IE: 'Ireland, Republic of Ireland, IRL',
	IN: 'India, IND',
	IT: 'Italy, ITA',
	JP: 'Japan, JPN',
	KR: 'South Korea, Republic of Korea, Korea, KOR',
	MK: 'North Macedonia, Macedonia, MKD',
	MM: 'Myanmar, Burma, MMR',
	MO: 'Macau, Macao, MAC',
	MX: 'Mexico, MEX',
	NL: 'Netherlands, The Netherlands, Holland, NLD',
	NO: 'Norway, NOR',
	NZ: 'New Zealand, NZL',
	PL: 'Poland, POL',
	PT: 'Portugal, PRT',
	RU: 'Russia, Russian Federation, RUS',
	SE: 'Sweden, SWE',
	SG: 'Singapore, SGP',
	SK: 'Slovakia, Slovak Republic, SVK',
	SZ: 'Eswatini, Swaziland, SWZ',
	TR: 'Turkey, Türkiye, TUR',
	US: 'United States, United States of America, America, USA',
	VN: 'Vietnam, Viet Nam, VNM',
	ZA: 'South Africa, RSA, ZAF',
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
	job_title_seniority: { make: () => namesBy(SENIORITIES.map((all) => all.split(', '))) },
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
	const codes = letters.flatMap((one) => letters.map((other) => one + other));
	const inLanguage = (language: string) =>
		new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
	const english = inLanguage('en');
	const others = LANGUAGES.map(inLanguage);
	return namesBy(
		codes.flatMap((code): string[][] => {
			const name = english.of(code);
			if (name === undefined) return [];
			const [first = name, ...aliases] = COUNTRIES[code]?.split(', ') ?? [];
			const translated = others.flatMap((names) => names.of(code) ?? []);
			// The service may know the code, and hardly a translation.
			return [[...new Set([first, name, code, ...aliases, ...translated])]];
		}),
	);
}

function namesBy(groups: string[][]): Names {
	const found = new Map<string, readonly string[]>();
	for (const group of groups)
		for (const name of group)
			for (const text of [plain(name), plain(spelledOut(name))])
				if (!found.has(text)) found.set(text, group);
	return found;
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
