/**
 * Tests random stops and interruptions of an n8n that polls: SIGTERM, SIGKILL, a database that is away or silent, a slow
 * service, credits that run out, and publishing. The mock service counts the charges, and n8n's executions contain the
 * delivered leads. LEAD_SEARCH_RUNS=300 takes about ten minutes, and LEAD_SEARCH_SEED draws other events.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';

import { node, type Workflow } from '../../sandbox/n8n/index';
import { leadAt, matching } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf } from '../n8n/harness';
import { durableCursors, everyThreeSeconds } from '../n8n/polls';
import { between, of, RUNS } from '../seed';
import { startOnPostgres, startOnSqlite } from './databases';
import { findViolations, type Delivery, type Stop } from './ledger';

/** Each round has each kind of event once, and SIGTERM three times. */
const ROUNDS = Math.max(1, Math.round(RUNS / 30));
const TIMEOUT = 600_000 + ROUNDS * 120_000;

/** The largest number of leads per poll. */
const MAX_BATCH = 12;

/** When an event happens: some time after a poll's request, after its response, or after the event before. */
const moment = fc.record({
	trigger: of<0 | 1>(0, 1),
	after: of('request' as const, 'response' as const, 'event' as const),
	ms: between(0, 1_400),
});

const ms = between(500, 5_000);
const events = {
	sigterm: fc.record({ kind: of('stop' as const), signal: of('stop' as const), moment }),
	sigkill: fc.record({ kind: of('stop' as const), signal: of('kill' as const), moment }),
	shut: fc.record({ kind: of('shut' as const), ms, moment }),
	hold: fc.record({ kind: of('hold' as const), ms: between(1_000, 12_000), moment }),
	slow: fc.record({ kind: of('slow' as const), ms, moment }),
	credits: fc.record({ kind: of('credits' as const), credits: between(0, 20), ms, moment }),
	publish: fc.record({ kind: of('publish' as const), leadsPerPoll: between(5, MAX_BATCH), moment }),
	unpublish: fc.record({ kind: of('unpublish' as const), ms, moment }),
};
type Name = keyof typeof events;
type Event = (typeof events)[Name] extends fc.Arbitrary<infer T> ? T : never;

const roundOf = (names: readonly Name[]) =>
	fc
		.shuffledSubarray([...names], { minLength: names.length })
		.chain((order) => fc.tuple(...order.map((name): fc.Arbitrary<Event> => events[name])));

const searches = ['Germany', 'France'].map((country) => {
	const leads = [...matching({ person_location_country: [country] })];
	return {
		country,
		leads,
		leadOf: new Map<unknown, number>(leads.map((lead) => [leadAt(lead).linkedin_url, lead])),
	};
});

type Running = Awaited<ReturnType<typeof startOnSqlite>> &
	Partial<Pick<Awaited<ReturnType<typeof startOnPostgres>>, 'gate'>>;

/** Creates a workflow of two triggers. Each has an account of its own. */
async function openPolling(n8n: Running) {
	const { admin } = n8n.service;
	const triggers = await Promise.all(
		searches.map(async (search, index) => {
			const account = admin.createAccount();
			const credential = await credentialOf(n8n, account);
			return { ...search, account, credential, id: randomUUID(), name: `Leads ${index + 1}` };
		}),
	);
	const done = { id: randomUUID(), ...node('Done', 'n8n-nodes-base.noOp', 1) };
	const workflowWith = (leadsPerPoll: number): Workflow => ({
		name: 'Poll',
		nodes: [
			...triggers.map(({ id, name, country, credential }) => {
				const parameters = {
					pollTimes: { item: everyThreeSeconds },
					filters: { personLocationCountry: country },
					leadsPerPoll,
					maxCreditsPerDay: 0,
					options: { includeUsage: true },
				};
				const type = 'n8n-nodes-lead-search.leadSearchTrigger';
				return { id, ...node(name, type, 1, parameters, credential) };
			}),
			done,
		],
		connections: Object.fromEntries(
			triggers.map(({ name }) => [name, { main: [[{ node: 'Done', type: 'main', index: 0 }]] }]),
		),
		settings: { executionOrder: 'v1' },
	});
	const workflow = await n8n.client.createWorkflow(workflowWith(MAX_BATCH));
	// After an outage, n8n may have saved a workflow without its version. Users then save it again.
	const publish = (leadsPerPoll = MAX_BATCH) =>
		until('the workflow is published', async () => {
			await n8n.client.updateWorkflow(workflow.id, workflowWith(leadsPerPoll));
			return await n8n.client.activate(workflow).then(
				() => true,
				() => false,
			);
		});
	return { workflow, triggers, publish };
}

type Polling = Awaited<ReturnType<typeof openPolling>>;

/** Waits up to 15 seconds, because polls may pause after a failure. */
const waitFor = async (what: string, check: () => boolean) => {
	const options = { timeout: 15_000, interval: 5 };
	await until(what, () => Promise.resolve(check()), options).catch(() => undefined);
};

async function reach(
	n8n: Running,
	polling: Polling,
	{ trigger, after, ms: delay }: Event['moment'],
) {
	const { admin } = n8n.service;
	const { account } = polling.triggers[trigger] ?? {};
	if (account === undefined) throw new RangeError('There is no such trigger');
	const requests = () => admin.requests({ account: account.id });
	const { length } = requests();
	// The response takes longer than the delay.
	const slow =
		after === 'request' && admin.addFault({ kind: 'latency', ms: 1_500, account: account.id });
	if (after !== 'event') await waitFor('a request', () => requests().length > length);
	if (after === 'response')
		await waitFor('a response', () => (requests()[length]?.status ?? null) !== null);
	await sleep(after === 'response' ? delay / 5 : delay);
	if (slow) slow.remove();
}

interface Line {
	/** In milliseconds since 1970. */
	readonly at: number;
	readonly text: string;
}

/** Reads what n8n has logged about the triggers, and its warnings and errors. */
async function readLog({ server }: Running): Promise<Line[]> {
	const lines = (await readFile(server.logFile, 'utf8')).split('\n');
	return lines.filter((line) => /"level":"(?:warn|error)"|Leads \d/.test(line)).flatMap(readLine);
}

function readLine(line: string): Line[] {
	try {
		const { message, metadata } = JSON.parse(line) as {
			message: string;
			metadata: { timestamp: string; nodeName?: string };
		};
		const [first] = message.split('\n', 1);
		const text = `n8n, ${metadata.nodeName}: ${first}`;
		return [{ at: Date.parse(metadata.timestamp), text }];
	} catch {
		// A killed n8n leaves half a line.
		return [];
	}
}

/** The stops of n8n for each trigger, and what happened. */
interface History {
	readonly stops: Stop[][];
	readonly log: Line[];
}

/** Starts n8n after a stop. */
async function startAgain(
	n8n: Running,
	{ triggers }: Polling,
	{ stops, log }: History,
	at: number,
) {
	// The next start removes the log.
	log.push(...(await readLog(n8n)));
	// The service charges for a request even if n8n has gone, perhaps after n8n's next start.
	const requests = triggers.map(({ account: { id } }) =>
		n8n.service.admin.requests({ account: id }),
	);
	await n8n.start();
	requests.forEach((sent, index) =>
		stops[index]?.push({ at, charged: sent.reduce((sum, { charged }) => sum + charged, 0) }),
	);
}

/** Lets one event happen. */
async function act(n8n: Running, polling: Polling, history: History, event: Event) {
	const { admin } = n8n.service;
	await reach(n8n, polling, event.moment);
	const account = polling.triggers[event.moment.trigger]?.account.id ?? '';
	switch (event.kind) {
		case 'stop': {
			const at = Date.now();
			await n8n.server[event.signal]();
			await startAgain(n8n, polling, history, at);
			break;
		}
		case 'shut':
		case 'hold':
			n8n.gate?.[event.kind]();
			await sleep(event.ms);
			n8n.gate?.open();
			break;
		case 'slow':
			admin.addFault({ kind: 'latency', ms: event.ms, account, times: 2 });
			break;
		case 'credits':
			admin.setCredits(account, { apiCredits: event.credits });
			await sleep(event.ms);
			admin.setCredits(account, { apiCredits: 1_000_000 });
			break;
		case 'publish':
			await polling.publish(event.leadsPerPoll);
			break;
		case 'unpublish':
			await n8n.client.deactivate(polling.workflow);
			await sleep(event.ms);
			await polling.publish();
			break;
	}
}

/** Lets the lists end, and waits until the polls of each trigger find nothing more. */
async function untilQuiet(n8n: Running, { triggers }: Polling): Promise<void> {
	const { admin } = n8n.service;
	admin.clearFaults();
	const counts = triggers.map(({ account, leads }) => {
		const last = Math.max(...account.chargedLeads.map((lead) => leads.indexOf(lead)));
		admin.setBehaviour(account.id, { leads: last + 1 + MAX_BATCH });
		return admin.requests({ account: account.id }).length;
	});
	const hasEnded = ({ account: { id } }: Polling['triggers'][number], index: number) => {
		const requests = admin.requests({ account: id }).slice(counts[index]);
		return requests.filter(({ status, rows }) => status === 200 && rows === 0).length >= 3;
	};
	await until('polls find nothing more', () => Promise.resolve(triggers.every(hasEnded)));
}

/** Restarts n8n if it has saved executions that it hasn't started, because it starts them only then. */
async function startSavedExecutions(n8n: Running, { workflow }: Polling): Promise<void> {
	const list = async () => (await n8n.client.executions(workflow)).map(({ status }) => status);
	if (!(await list()).includes('new')) return;
	await n8n.server.stop();
	await n8n.start();
	await until('n8n has started them', async () => !(await list()).includes('new'));
}

/** Reads all executions, and retries those that n8n couldn't finish. */
async function readDelivered({ client }: Running, { workflow, triggers }: Polling) {
	const crashed = (await client.executions(workflow)).filter(({ status }) => status === 'crashed');
	// If n8n rejects the Retry, the leads count as not delivered.
	for (const { id } of crashed) await client.retry(id).catch(() => undefined);
	const delivered = triggers.map((): Delivery[] => []);
	const recorded = triggers.map(() => 0);
	for (const { id, status, stoppedAt } of await client.executions(workflow)) {
		if (status !== 'success') continue;
		for (const { json } of (await client.execution(id)).items('Done'))
			triggers.forEach(({ leadOf }, index) => {
				const lead = leadOf.get(json.linkedin_url);
				if (lead === undefined) return;
				delivered[index]?.push({ lead, execution: id, at: new Date(stoppedAt ?? 0).getTime() });
				const { creditsInTotal } = json.usage as { creditsInTotal: number };
				recorded[index] = Math.max(recorded[index] ?? 0, creditsInTotal);
			});
	}
	return triggers.map((_, index) => ({
		delivered: delivered[index] ?? [],
		recorded: recorded[index] ?? 0,
	}));
}

/** Starts n8n, lets the events happen, and compares the charges with the deliveries. */
async function check(
	start: () => Promise<Running>,
	drawn: readonly Event[],
	isDurable: boolean,
): Promise<void> {
	const n8n = await start();
	try {
		const polling = await openPolling(n8n);
		await polling.publish();
		const history: History = { stops: polling.triggers.map((): Stop[] => []), log: [] };
		const { stops, log } = history;
		const note = (text: string, at = Date.now()) => log.push({ at, text });
		for (const event of drawn) {
			note(JSON.stringify(event));
			const thrown = await act(n8n, polling, history, event).catch((error: unknown) => error);
			note(`${event.kind} has ended`);
			// n8n can end by itself if its database was away. Containers then start it again.
			if (n8n.gate && !n8n.server.isRunning()) {
				const code = await n8n.server.ended;
				const end = (await readFile(n8n.server.logFile, 'utf8')).slice(-2_000);
				note(`n8n has ended by itself with exit code ${code}: ${end}`);
				await startAgain(n8n, polling, history, Date.now());
				if (['publish', 'unpublish'].includes(event.kind)) await polling.publish();
			} else if (thrown) throw thrown as Error;
		}
		const ended = await untilQuiet(n8n, polling).catch((error: unknown) => error);
		log.push(...(await readLog(n8n)));
		if (ended) process.stdout.write(formatLog(log));
		if (ended) throw ended as Error;
		await startSavedExecutions(n8n, polling);
		const read = await readDelivered(n8n, polling);
		const found = polling.triggers.map(({ account: { chargedLeads }, leads, name }, index) => {
			const ledger = { charged: chargedLeads, stops: stops[index] ?? [] };
			const { delivered, recorded } = read[index] ?? { delivered: [], recorded: 0 };
			const numbers = (some: readonly number[]) =>
				formatRanges(some.map((lead) => leads.indexOf(lead) + 1));
			for (const { at, execution } of new Map(
				delivered.map((one) => [one.execution, one]),
			).values()) {
				const own = delivered.filter((one) => one.execution === execution);
				note(`execution ${execution}, ${name}: ${numbers(own.map(({ lead }) => lead))}`, at);
			}
			for (const { at, charged } of ledger.stops)
				note(`${name}: stop after ${charged} of ${chargedLeads.length} charges`, at);
			note(`${name}: charged ${numbers(chargedLeads)}`);
			note(`${name}: recorded ${recorded}`);
			return findViolations({ ...ledger, delivered, recorded, leadsPerPoll: MAX_BATCH }, isDurable);
		});
		if (found.some((one) => Object.values(one).some((leads) => leads.length > 0)))
			process.stdout.write(formatLog(log));
		for (const violations of found)
			expect(violations).toEqual({
				neverDelivered: [],
				deliveredTooOften: [],
				notCharged: [],
				chargedTooOften: [],
				lostTooMany: [],
				notRecorded: [],
			});
	} finally {
		await n8n.close();
	}
}

/** Formats 1, 2, 3, 7 as '1-3, 7'. */
function formatRanges(numbers: readonly number[]): string {
	const starts = numbers.filter((one, index) => one !== (numbers[index - 1] ?? NaN) + 1);
	const ends = numbers.filter((one, index) => one !== (numbers[index + 1] ?? NaN) - 1);
	return starts.map((start, index) => [...new Set([start, ends[index]])].join('-')).join(', ');
}

function formatLog(log: readonly Line[]): string {
	const sorted = [...log].sort((a, b) => a.at - b.at);
	const start = sorted[0]?.at ?? 0;
	return sorted.map(({ at, text }) => `${((at - start) / 1_000).toFixed(1)} s: ${text}\n`).join('');
}

const onSqlite: readonly Name[] = [
	'sigterm',
	'sigterm',
	'sigterm',
	'sigkill',
	'slow',
	'credits',
	'publish',
	'unpublish',
];
const onPostgres: readonly Name[] = [...onSqlite, 'shut', 'hold'];

test.concurrent.each([
	[
		'with durable cursors, each lead is charged and delivered once, however often n8n and its PostgreSQL stop',
		() => startOnPostgres({ ...durableCursors, N8N_LOG_FORMAT: 'json' }),
		onPostgres,
		true,
	],
	[
		'without durable cursors, a stop of n8n costs at most the leads of one poll of each trigger',
		() => startOnSqlite({ N8N_LOG_FORMAT: 'json' }),
		onSqlite,
		false,
	],
])(
	'%s',
	async (_title, start, names, isDurable) => {
		const drawn = fc.tuple(...Array.from({ length: ROUNDS }, () => roundOf(names)));
		const property = fc.asyncProperty(drawn, (rounds) => check(start, rounds.flat(), isDurable));
		await fc.assert(property, { numRuns: 1, endOnFailure: true });
	},
	TIMEOUT,
);
