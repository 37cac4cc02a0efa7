/** What a list knows of a place, and which rows are the same. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { isSameRow, profileOf } from '../../nodes/LeadSearch/paging/ledger';

const anna = { linkedin_url: 'https://www.linkedin.com/in/anna', city: 'Oslo' };

test.each<[Json, Json, boolean]>([
	[anna, { ...anna, city: 'Bergen' }, true],
	[anna, { ...anna, linkedin_url: 'https://www.linkedin.com/in/bob' }, false],
	[anna, { city: 'Oslo' }, false],
	[{ city: 'Oslo' }, { city: 'Oslo' }, true],
	[{ city: 'Oslo' }, { city: 'Bergen' }, false],
	[{ linkedin_url: '', city: 'Oslo' }, { linkedin_url: '', city: 'Bergen' }, false],
	[{ linkedin_url: null, city: 'Oslo' }, { linkedin_url: null, city: 'Bergen' }, false],
])('%j and %j are the same: %s', (one, other, expected) => {
	expect(isSameRow(one, other)).toBe(expected);
});

test.each([
	['', undefined],
	[null, undefined],
	[5, undefined],
	[['x'], undefined],
	// A word stands in many rows.
	['N/A', undefined],
	['anna', undefined],
	['linkedin.com/in/anna', 'linkedin.com/in/anna'],
])('the profile %j is %j', (linkedin_url, expected) => {
	expect(profileOf({ linkedin_url })).toBe(expected);
});
