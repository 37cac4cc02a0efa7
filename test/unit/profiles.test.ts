/** Who gets what a lookup has found. */
import { requestOptions, settingsOf } from '../../nodes/LeadSearch/parameters/fetching';
import { collectionValues, readAll } from '../../nodes/LeadSearch/parameters/parameter';
import { planLookUps } from '../../nodes/LeadSearch/resources/linkedInProfile/profiles';
import { newProfiles } from '../paging/world';

const urlOf = (id: number) => `https://www.linkedin.com/in/lead-${id}`;
const settings = settingsOf(readAll(requestOptions(100, ''), collectionValues({})));

test('a row that may be about several URLs is for those that have none of their own', () => {
	const own = { linkedin_url: `${urlOf(0)}-renamed` };
	const other = { linkedin_url: `${urlOf(1)}-renamed` };
	const list = newProfiles().restore({
		cells: [[urlOf(0), own]],
		strays: [{ row: other, places: [urlOf(0), urlOf(1)] }],
		doubts: [urlOf(1)],
	});
	const rowsFor = (...ids: number[]) => {
		const urls = new Map(ids.map((id) => [urlOf(id), urlOf(id)]));
		const wanted = {
			urls,
			settings,
			body: {},
			limit: Infinity,
			form: 'raw',
			unmatched: 'leaveOut',
		};
		const request = { ...wanted, includeInputFields: false } as const;
		const lists = { profiles: () => list, leads: jest.fn() };
		const asked = [{ item: 0, input: {}, request }] as never;
		return planLookUps(asked, lists)[0]?.outcome('whole').rows;
	};
	expect(rowsFor(0)).toEqual([own]);
	expect(rowsFor(0, 1)).toEqual([own, other]);
});
