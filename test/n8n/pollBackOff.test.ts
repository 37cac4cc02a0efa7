/** Tests how n8n's own back-off of polls reads the trigger's errors. It calls n8n's policy without starting n8n. */
import { join } from 'node:path';

import execa from 'execa';

import { findInstallation } from '../../sandbox/n8n/launch';
import { projectFolder } from '../../sandbox/paths';

describe("n8n's own back-off of polls", () => {
	const transient = (cause: string, seconds?: number) => ({
		type: 'transient',
		cause,
		retryAfterMs: seconds === undefined ? null : seconds * 1_000,
	});
	const permanent = (cause: string) => ({ type: 'permanent', cause, retryAfterMs: null });
	const down = 'temporarily-unavailable';
	const cases = [
		[401, {}, permanent('credential-invalid')],
		[402, {}, transient('quota-exhausted')],
		[404, {}, permanent('configuration-invalid')],
		[429, {}, transient('rate-limited')],
		[429, { 'retry-after': '120' }, transient('rate-limited', 120)],
		[503, {}, transient(down)],
		[503, { 'retry-after': '90' }, transient(down, 90)],
		// A 504 may have been charged, so the error declares nothing, and n8n decides by the status.
		[504, { 'retry-after': '5' }, transient(down)],
	] as const;

	/** Applies n8n's policy to errors of the built package, in the Node.js that runs n8n. */
	async function classify(responses: readonly unknown[]): Promise<unknown> {
		const { node: program } = findInstallation();
		const policy = 'sandbox/n8n/node_modules/n8n/dist/workflows/triggers/poll-backoff-policy.js';
		const built = ['messages/nodeErrors.js', 'api/failures.js'].map(
			(file) => `dist/nodes/LeadSearch/${file}`,
		);
		const files = [policy, ...built].map((file) => join(projectFolder, file));
		const script = `
			const [policy, errors, failures] = ${JSON.stringify(files)}.map((file) => require(file));
			const node = { name: 'Leads', type: 'leadSearchTrigger', typeVersion: 1, parameters: {} };
			const text = { message: 'It stopped', description: 'Try' };
			const verdicts = ${JSON.stringify(responses)}.map(([status, headers]) => {
				const failure = failures.failureFromStatus(status, headers, '{}', Date.now());
				const error = errors.serviceError(node, text, { failure, item: 0 });
				return policy.pollFailureFromError(error, new Date());
			});
			verdicts.push(policy.pollFailureFromError(errors.configurationError(node, text), new Date()));
			process.stdout.write(JSON.stringify(verdicts));`;
		return JSON.parse((await execa(program, ['-e', script])).stdout);
	}

	test('n8n backs off polls as each failure declares, and for as long as Retry-After asks', async () => {
		const expected = [...cases.map(([, , one]) => one), permanent('configuration-invalid')];
		expect(await classify(cases)).toEqual(expected);
	});
});
