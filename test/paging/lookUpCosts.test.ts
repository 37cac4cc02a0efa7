/** What lookups of many profiles cost, whose names stand in their addresses as people's do. */
import type { Row } from '../../sandbox/service/model';
import { FAIR, newProfiles, profilesOf, World } from './world';

const FIRST = 'Anna Bob Carla Dino Eve Frank Greta Hugo Ines Jonas Karin Lars Mona Nils Olga'.split(
	' ',
);
const LAST = 'Bell Cole Dietz Eden Fischer Haas Ivens Kern Lang Maier Noll Otto Quast Thal'.split(
	' ',
);

/** Every fourth of the URLs is nobody's. */
function profiles(count: number) {
	const urls: string[] = [];
	const rows: Row[] = [];
	for (let id = 0; id < count; id++) {
		const first = FIRST[id % FIRST.length] ?? '';
		const last = LAST[Math.floor(id / FIRST.length) % LAST.length] ?? '';
		const name = `${first}-${last}-${(id * 7919).toString(36)}`.toLowerCase();
		const url = `https://www.linkedin.com/in/${name}`;
		urls.push(url);
		const record = { full_name: `${first} ${last}`, company: String(id), linkedin_url: url };
		if (id % 4 !== 3)
			rows.push({ id, record: { ...record, personal_emails: [] } } as unknown as Row);
	}
	return { urls, rows };
}

test.each([
	[1_000, 0, 2],
	[10_000, 0, 17],
	[1_000, 20, 42],
	[10_000, 200, 417],
])(
	'%i URLs, of whom %i come back renamed, cost a credit more for each of these, and at most %i requests',
	async (count, renamed, requests) => {
		const { urls, rows } = profiles(count);
		const kinds = renamed > 0 ? { renamedEvery: count / renamed } : {};
		const world = new World(1_000_000, { profiles: kinds }, rows);
		const list = newProfiles();
		expect(await world.run([profilesOf(list, urls)], FAIR)).toMatchObject([{ end: 'whole' }]);
		const own = urls.map((url) => list.rowsAt(url).map(({ company }) => company));
		expect(own).toEqual(urls.map((_, id) => (id % 4 === 3 ? [] : [String(id)])));
		expect(world.charged).toHaveLength(rows.length + renamed);
		expect(world.requests).toBeLessThanOrEqual(requests);
	},
);
