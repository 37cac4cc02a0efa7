/** The languages that names are drawn in. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'sv' | 'nl' | 'is';

/** A country that leads live in. */
export interface Country {
	name: string;
	language: Language;
	/** Calling code with its plus sign. */
	dialling: string;
	/** Share of the leads outside Iceland, in parts of the sum of all shares. */
	share: number;
	/** Pairs of city and state. */
	cities: ReadonlyArray<readonly [city: string, state: string]>;
}

/** Of every 120,000 leads, exactly 2,350 are in Iceland: a search whose size is known beforehand. */
export const ICELAND_LEADS = 2_350;

/** The country whose number of leads is exact; it takes no part in the shares. */
export const ICELAND: Country = {
	name: 'Iceland',
	language: 'is',
	dialling: '+354',
	share: 0,
	cities: [
		['Reykjavík', 'Capital Region'],
		['Kópavogur', 'Capital Region'],
		['Hafnarfjörður', 'Capital Region'],
		['Akureyri', 'Northeastern Region'],
		['Selfoss', 'Southern Region'],
	],
};

/** Every country but Iceland. */
export const COUNTRIES: readonly Country[] = [
	{
		name: 'United States',
		language: 'en',
		dialling: '+1',
		share: 40,
		cities: [
			['San Francisco', 'California'],
			['Los Angeles', 'California'],
			['New York', 'New York'],
			['Austin', 'Texas'],
			['Chicago', 'Illinois'],
			['Seattle', 'Washington'],
			['Boston', 'Massachusetts'],
			['Denver', 'Colorado'],
		],
	},
	{
		name: 'United Kingdom',
		language: 'en',
		dialling: '+44',
		share: 15,
		cities: [
			['London', 'England'],
			['Manchester', 'England'],
			['Edinburgh', 'Scotland'],
			['Cardiff', 'Wales'],
		],
	},
	{
		name: 'Germany',
		language: 'de',
		dialling: '+49',
		share: 12,
		cities: [
			['Berlin', 'Berlin'],
			['München', 'Bavaria'],
			['Hamburg', 'Hamburg'],
			['Köln', 'North Rhine-Westphalia'],
		],
	},
	{
		name: 'France',
		language: 'fr',
		dialling: '+33',
		share: 9,
		cities: [
			['Paris', 'Île-de-France'],
			['Lyon', 'Auvergne-Rhône-Alpes'],
			['Nantes', 'Pays de la Loire'],
		],
	},
	{
		name: 'Spain',
		language: 'es',
		dialling: '+34',
		share: 7,
		cities: [
			['Madrid', 'Community of Madrid'],
			['Barcelona', 'Catalonia'],
			['Valencia', 'Valencian Community'],
		],
	},
	{
		name: 'Netherlands',
		language: 'nl',
		dialling: '+31',
		share: 6,
		cities: [
			['Amsterdam', 'North Holland'],
			['Rotterdam', 'South Holland'],
			['Utrecht', 'Utrecht'],
		],
	},
	{
		name: 'Canada',
		language: 'en',
		dialling: '+1',
		share: 6,
		cities: [
			['Toronto', 'Ontario'],
			['Vancouver', 'British Columbia'],
			['Montréal', 'Quebec'],
		],
	},
	{
		name: 'Sweden',
		language: 'sv',
		dialling: '+46',
		share: 5,
		cities: [
			['Stockholm', 'Stockholm County'],
			['Göteborg', 'Västra Götaland County'],
			['Malmö', 'Skåne County'],
		],
	},
];
