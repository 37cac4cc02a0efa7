/** Reads and sets the parameters of an open node as a user does. Lists are from top to bottom. */
import { chooseOption, firstLines, shown, type NodePanel } from '../../sandbox/browser/panels';

export function withForm(panel: NodePanel) {
	const { parameters, credential, field, addButton } = panel;
	const page = parameters.page();
	const input = (label: string) => field(label).getByTestId('parameter-input');
	const textIn = (label: string) => input(label).locator('input, textarea').first();

	return {
		...panel,
		/**
		 * Returns the labels of all parameters, including chosen filters and options. The label of the credential is
		 * always "Credential".
		 */
		async labels(): Promise<string[]> {
			const labels = parameters.getByTestId('input-label').or(credential.locator('label'));
			const texts = await firstLines(shown(labels));
			return texts.map((label) => label.replace(/^Credential for .*/, 'Credential'));
		},
		notices: () => firstLines(shown(parameters.locator('.notice'))),
		async choose(label: string, option: string): Promise<void> {
			await input(label).click();
			await chooseOption(page, option);
		},
		async value(label: string): Promise<string | boolean> {
			const toggle = input(label).getByRole('switch');
			// The editor shows neither of them while it draws the parameter again.
			await toggle.or(textIn(label)).first().waitFor({ state: 'attached' });
			if ((await toggle.count()) > 0) return await toggle.isChecked();
			return await textIn(label).inputValue();
		},
		toggle: (label: string) => field(label).locator('.el-switch').click(),
		fill: (label: string, text: string) => textIn(label).fill(text),
		/** Replaces the value, as a user does with Ctrl+A. */
		async type(label: string, text: string): Promise<void> {
			await textIn(label).click();
			await page.keyboard.press('ControlOrMeta+A');
			// The text is inserted at once. The editor would apply single keys later, and the node could run before that.
			await page.keyboard.insertText(text);
		},
		/** Returns the entries that a collection such as Options offers to add. */
		async offers(collection: string): Promise<string[]> {
			await addButton(collection).click();
			const options = shown(page.getByRole('option'));
			await options.first().waitFor();
			const names = await firstLines(options);
			await page.keyboard.press('Escape');
			return names;
		},
		async add(collection: string, name: string): Promise<void> {
			await addButton(collection).click();
			await chooseOption(page, name);
			await field(name).waitFor();
		},
	};
}
