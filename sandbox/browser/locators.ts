import type { Locator, Page } from 'playwright-core';

/** What an element may be looked for in. */
type Scope = Pick<Page | Locator, 'getByTestId'>;

/** Those of the elements with a test id that are shown. */
export function shown(scope: Scope, testId: string): Locator {
	return scope.getByTestId(testId).filter({ visible: true });
}

/** The first line of each element, without the star of what is required. */
export async function firstLines(elements: Locator): Promise<string[]> {
	const texts = await elements.allInnerTexts();
	return texts.map((text) => (text.trim().split('\n', 1)[0] ?? '').replace('*', '').trim());
}

/** The options of the list that is open. */
export function openOptions(page: Page): Locator {
	return page.getByRole('option').filter({ visible: true });
}

/** Chooses from the list that is open. */
export async function chooseOption(page: Page, name: string): Promise<void> {
	await openOptions(page)
		.filter({ has: page.getByText(name, { exact: true }) })
		.click();
}
