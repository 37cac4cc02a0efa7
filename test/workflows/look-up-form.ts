import { leadAt } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	test('answers on its next page who was found, that nobody was, or why not; the same again costs nothing', async () => {
		const account = n8n.service.admin.createAccount({ apiCredits: 1 });
		const { workflow } = await importWorkflow(n8n, 'look-up-form', { account });
		await n8n.client.activate(workflow);
		const trigger = workflow.nodes.find(({ type }) => type.endsWith('formTrigger'));
		const form = `${n8n.server.url}/form/${String(trigger?.webhookId)}`;
		await until('the form is there', async () => (await fetch(form)).ok);
		const answerTo = async (url: string) => {
			const body = new FormData();
			body.append('field-0', url);
			const sent = await fetch(form, { method: 'POST', body });
			const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
			// As the page does that is sent.
			const status = formWaitingUrl.replace('?', '/n8n-execution-status?');
			await until(
				'the answer is there',
				async () => (await (await fetch(status)).text()) === 'form-waiting',
			);
			return await (await fetch(formWaitingUrl)).text();
		};
		const { linkedin_url: known, work_email: email } = leadAt(1);
		expect(await answerTo(known)).toContain(email);
		expect(await answerTo(known)).toContain(email);
		expect(await answerTo('https://www.linkedin.com/in/nobody-at-all')).toContain('Not found');
		expect(await answerTo('https://www.linkedin.com/company/any')).toContain(
			'a page of another kind',
		);
		expect(await answerTo(leadAt(2).linkedin_url)).toContain('Not enough API credits (402)');
		expect(account.spent.apiCredits).toBe(1);
	});
}
