/** What has come of LinkedIn URLs, in this run and in earlier ones. */
import { ProfileRows } from '../../nodes/LeadSearch/api/profileRows';

const [anna, ben, cleo, dora] = ['/in/anna', '/in/ben', '/in/cleo', '/in/dora'];
const rowOf = (url: string, id = 1) => ({ linkedin_url: url, id });
const renamed = rowOf('/in/renamed');

/** Anna was found, Ben not; one of Cleo and Dora has another URL now. */
function lookedUp(): ProfileRows {
	const profiles = new ProfileRows();
	profiles.add(anna, rowOf(anna));
	profiles.settle([ben], 'notFound');
	profiles.addUnmatched(renamed, new Set([cleo, dora]));
	profiles.settle([cleo, dora], 'uncertain');
	return profiles;
}

const states = (profiles: ProfileRows) =>
	[anna, ben, cleo, dora].map((url) => profiles.stateOf(url));

describe('What is known of a URL', () => {
	test('is nothing before it is looked up', () => {
		const profiles = new ProfileRows();
		expect(profiles.stateOf(anna)).toBe('open');
		expect(profiles.rowsOf(anna)).toEqual([]);
		expect(profiles.boughtAt(anna)).toBeUndefined();
		expect(profiles.size).toBe(0);
	});

	test('is its rows, that it has none, or that a row with another URL may be about it', () => {
		const profiles = lookedUp();
		expect(states(profiles)).toEqual(['found', 'notFound', 'uncertain', 'uncertain']);
		expect(profiles.rowsOf(anna)).toEqual([rowOf(anna)]);
		expect(profiles.rowsOf(ben)).toEqual([]);
		expect(profiles.unmatched.map(({ row }) => row)).toEqual([renamed]);
	});

	test('stays what it is when it is settled once more', () => {
		const profiles = lookedUp();
		profiles.settle([anna, ben, cleo], 'uncertain');
		profiles.settle([anna, ben, cleo], 'notFound');
		expect(states(profiles)).toEqual(['found', 'notFound', 'uncertain', 'uncertain']);
		expect(profiles.rowsOf(anna)).toEqual([rowOf(anna)]);
	});

	test('is found once a row comes, whatever was thought before', () => {
		const profiles = lookedUp();
		profiles.add(ben, rowOf(ben));
		profiles.add(cleo, rowOf(cleo));
		expect(states(profiles)).toEqual(['found', 'found', 'found', 'uncertain']);
		expect(profiles.rowsOf(cleo)).toEqual([rowOf(cleo)]);
	});
});

describe('Promise 2: every row that was charged is kept', () => {
	test('all those of a URL that has several', () => {
		const profiles = new ProfileRows();
		profiles.add(anna, rowOf(anna, 1));
		profiles.add(anna, rowOf(anna, 2));
		expect(profiles.rowsOf(anna)).toEqual([rowOf(anna, 1), rowOf(anna, 2)]);
	});

	test('those with a URL that nobody asked for, each once', () => {
		const profiles = new ProfileRows();
		expect(profiles.addUnmatched(renamed, new Set([cleo]))).toBe(true);
		expect(profiles.addUnmatched({ ...renamed }, new Set([dora]))).toBe(false);
		expect(profiles.addUnmatched({ ...renamed, id: 2 }, new Set([dora]))).toBe(true);
		expect(profiles.unmatched).toEqual([
			{ row: renamed, urls: new Set([cleo]) },
			{ row: { ...renamed, id: 2 }, urls: new Set([dora]) },
		]);
	});

	test('and counted, with or without a URL that was asked for', () => {
		const profiles = lookedUp();
		profiles.add(anna, rowOf(anna, 2));
		expect(profiles.size).toBe(3);
	});
});

describe('Promise 4: a later run takes over what was paid for', () => {
	test('with what is known of each URL, and when it was paid for', () => {
		const later = new ProfileRows([lookedUp().snapshot(1_000)]);
		expect(states(later)).toEqual(['found', 'notFound', 'uncertain', 'uncertain']);
		expect(later.rowsOf(anna)).toEqual([rowOf(anna)]);
		expect(later.size).toBe(2);
		expect([anna, ben, cleo].map((url) => later.boughtAt(url))).toEqual([1_000, 1_000, 1_000]);
		expect(later.unmatched).toEqual([
			{ row: renamed, urls: new Set([cleo, dora]), boughtAt: 1_000 },
		]);
	});

	test('which can be kept as JSON', () => {
		const kept = lookedUp().snapshot(1_000);
		expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
	});

	test('and keeps that time for the runs after it, beside what it paid for itself', () => {
		const second = new ProfileRows([lookedUp().snapshot(1_000)]);
		second.add('/in/emil', rowOf('/in/emil'));
		second.addUnmatched({ ...renamed, id: 2 }, new Set());
		expect(second.boughtAt('/in/emil')).toBeUndefined();

		const third = new ProfileRows([second.snapshot(2_000)]);

		expect(third.boughtAt(anna)).toBe(1_000);
		expect(third.boughtAt('/in/emil')).toBe(2_000);
		expect(third.unmatched.map(({ boughtAt }) => boughtAt)).toEqual([1_000, 2_000]);
	});

	test('beside which a row that comes for a URL without one was paid for now', () => {
		const later = new ProfileRows([lookedUp().snapshot(1_000)]);
		later.add(ben, rowOf(ben));
		expect(later.stateOf(ben)).toBe('found');
		expect(later.boughtAt(ben)).toBeUndefined();
	});

	test('but not what was paid for too long ago', () => {
		const kept = lookedUp().snapshot(1_000);
		const inTime = new ProfileRows([kept], 1_000);
		expect(states(inTime)).toEqual(['found', 'notFound', 'uncertain', 'uncertain']);
		expect(inTime.unmatched).toHaveLength(1);
		const tooLate = new ProfileRows([kept], 1_001);
		expect(states(tooLate)).toEqual(['open', 'open', 'open', 'open']);
		expect(tooLate.unmatched).toEqual([]);
	});

	test('from several runs: the latest word on each URL, and what it lacks of the others', () => {
		const latest = new ProfileRows();
		latest.add(anna, rowOf(anna, 2));
		const later = new ProfileRows([latest.snapshot(2_000), lookedUp().snapshot(1_000)]);
		expect(later.rowsOf(anna)).toEqual([rowOf(anna, 2)]);
		expect(later.boughtAt(anna)).toBe(2_000);
		expect(later.stateOf(ben)).toBe('notFound');
	});

	test('without asking again for a URL that a row with another one may be about', () => {
		// It stopped before the last page of the request, and so before it settled what was open.
		const stopped = new ProfileRows();
		stopped.addUnmatched(renamed, new Set([cleo, dora]));
		expect(stopped.stateOf(cleo)).toBe('open');

		const later = new ProfileRows([stopped.snapshot(1_000)]);

		expect([cleo, dora].map((url) => later.stateOf(url))).toEqual(['uncertain', 'uncertain']);
		expect(later.boughtAt(cleo)).toBe(1_000);
		expect(later.addUnmatched(renamed, new Set([cleo]))).toBe(false);
	});
});
