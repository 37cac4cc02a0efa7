import type { Locator, Page } from 'playwright-core';

import { firstLines } from './locators';
import { NodePanel } from './node-panel';

/** The list of nodes to add to a workflow. */
export class NodesPanel {
	readonly panel: Locator;
	private readonly names: Locator;

	constructor(private readonly page: Page) {
		this.panel = page.getByTestId('node-creator');
		this.names = this.panel
			.getByTestId('item-iterator-item')
			.getByTestId('node-creator-item-name');
	}

	async search(text: string): Promise<void> {
		await this.panel.getByTestId('node-creator-search-bar').fill(text);
	}

	/** Opens the list of what a node can do. */
	async choose(nodeName: string): Promise<void> {
		await this.entry(nodeName).click();
		await this.panel.getByText(/^Actions \(\d+\)$/).waitFor();
		// The list before slides out.
		await this.entry(nodeName).waitFor({ state: 'hidden' });
	}

	/** Folds or unfolds a part of what a node can do. */
	async toggle(part: 'Actions' | 'Triggers'): Promise<void> {
		await this.panel.getByText(new RegExp(`^${part} \\(\\d+\\)$`)).click();
	}

	/** Names of what the list shows now, from top to bottom. */
	entries(): Promise<string[]> {
		return firstLines(this.names.filter({ visible: true }));
	}

	/** Adds a node that does this, which opens it. */
	async add(action: string): Promise<NodePanel> {
		await this.entry(action).click();
		return NodePanel.opened(this.page);
	}

	/** An entry of the list, whether it is shown or not. */
	entry(name: string): Locator {
		return this.names.getByText(name, { exact: true });
	}
}
