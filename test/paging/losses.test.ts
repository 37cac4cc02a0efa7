/** A gateway that loses large answers, which the service has charged: what is at stake, and what the next runs do. */
import { handIn, losses, takeBack } from '../../nodes/LeadSearch/execution/losses';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { FAIR, leadsOf, newProfiles, numberedRows, profilesOf, recalled, World } from './world';

afterEach(() => {
	losses.clear();
});

test.each([
	['lookUp', 500, 100],
	['lookUp', 5_000, 300],
	['search', 1_500, 150],
	['search', 2_450, 700],
] as const)(
	'a %s of %i, of which answers above %i are lost, is whole after two runs',
	async (kind, rows, cut) => {
		for (const budget of [Infinity, rows]) {
			losses.clear();
			const all = numberedRows(rows);
			const world = new World(1_000_000, { pageSize: 1_000 }, all);
			const urls = all.map(({ record }) => record.linkedin_url);
			let list = kind === 'lookUp' ? newProfiles() : new LeadList();
			const runs = [];
			for (let run = 0; run < 3; run++) {
				handIn(list, 'url', kind);
				const wanted =
					list instanceof LeadList ? leadsOf(list, { limit: rows }) : profilesOf(list, urls);
				const before = world.charged.length;
				const [result] = await world.run([wanted], { ...FAIR, budget, losesAbove: cut });
				takeBack(list, 'url', kind);
				const end = result?.end ?? result?.failure.kind;
				runs.push({ rows: list.rows, credits: world.charged.length - before, end });
				list = recalled(list);
			}
			// One page of the first size is at stake, once.
			expect(world.lost.length).toBeLessThanOrEqual(Math.min(rows, 1_000));
			for (const { credits } of runs) expect(credits).toBeLessThanOrEqual(budget);
			expect(runs).toMatchObject([{}, { rows }, { rows, credits: 0 }]);
			// The message is that of the lost answer, and no sum that is spent.
			if (runs[0]?.rows !== rows) expect(runs[0]?.end).toBe('lostResponse');
		}
	},
);
