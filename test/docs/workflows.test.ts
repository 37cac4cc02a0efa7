/** What a ready-made workflow looks for as it comes, the mock of the lead service has: each value by itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { matching } from '../../sandbox/service';

const folder = join(__dirname, '..', '..', 'workflows');

/** Names of filters, and of the fields that a workflow sets for them. */
const FILTERS = {
	jobTitles: 'job_titles',
	jobTitleSeniority: 'job_title_seniority',
	personLocationCountry: 'person_location_country',
	countries: 'person_location_country',
} as const;

type Wanted = [workflow: string, filter: keyof typeof FILTERS, value: string];

const isFilter = (name: unknown): name is keyof typeof FILTERS =>
	Object.hasOwn(FILTERS, String(name));

/** @returns what is written under a filter's name, or assigned to it, but for expressions */
function valuesIn(json: unknown, workflow: string): Wanted[] {
	if (typeof json !== 'object' || json === null) return [];
	const entries = Object.entries(json);
	const { name, value } = json as { name?: unknown; value?: unknown };
	return [...entries, [name, value] as const].flatMap(([field, one]) => {
		if (!isFilter(field) || typeof one !== 'string' || one.startsWith('='))
			return field === name ? [] : valuesIn(one, workflow);
		return one.split(', ').map((part): Wanted => [workflow, field, part]);
	});
}

const wanted = readdirSync(folder, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.flatMap(({ name }) =>
		valuesIn(JSON.parse(readFileSync(join(folder, name, 'workflow.json'), 'utf8')), name),
	);

test.each(wanted)('%s finds somebody: %s, %s', (_workflow, filter, value) => {
	expect(matching({ [FILTERS[filter]]: [value] }).length).toBeGreaterThan(0);
});

test('filters and what is set for them are looked at', () => {
	const filters = wanted.map(([, filter]) => filter);
	expect(filters).toEqual(
		expect.arrayContaining(['jobTitles', 'personLocationCountry', 'countries']),
	);
});
