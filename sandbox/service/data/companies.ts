import { faker } from '@faker-js/faker/locale/en';
import { asciiSlug } from './names';

/** A company that leads work for. */
export interface Company {
	name: string;
	/** In the reserved top-level domain `example`, so that no address is anybody's. */
	domain: string;
	industry: string;
	/** Number of people it employs. */
	employees: number;
	founded: number;
}

const INDUSTRIES = [
	'Computer Software',
	'Financial Services',
	'Hospital & Health Care',
	'Logistics & Supply Chain',
	'Marketing & Advertising',
	'Renewables & Environment',
	'Retail',
	'Telecommunications',
];

/** Companies with different names, the same for the same seed. */
export function companyPool(seed: number, wanted = 600): Company[] {
	faker.seed(seed);
	const byName = new Map<string, Company>();
	while (byName.size < wanted) {
		const name = faker.company.name();
		byName.set(name, {
			name,
			domain: `${asciiSlug(name)}.example`,
			industry: faker.helpers.arrayElement(INDUSTRIES),
			employees: faker.number.int({ min: 2, max: 9_000 }),
			founded: faker.number.int({ min: 1955, max: 2023 }),
		});
	}
	return [...byName.values()];
}
