import type { Page } from 'playwright-core';

/** Requests of n8n's own that can't succeed here, and what they are for. */
const expectedFailures: ReadonlyArray<{ readonly path: RegExp; readonly status?: number }> = [
	// Before the login, n8n asks whether somebody is logged in.
	{ path: /^http:\/\/127\.0\.0\.1:\d+\/rest\/login$/, status: 401 },
	// The details of an installed community node show what npm knows of it. Nothing but this
	// machine can be reached; the node itself asks for nothing from the editor.
	{ path: /^https:\/\/(?!127\.0\.0\.1)/ },
];

/**
 * Collects what a page complains about: errors on the console, uncaught errors, and answers from
 * anywhere but this machine. What n8n complains about for lack of a network is left out.
 */
export class Complaints {
	private found: string[] = [];

	constructor(page: Page) {
		page.on('console', (message) => {
			if (message.type() !== 'error') return;
			const { url } = message.location();
			if (!isExpected(url, message.text())) this.found.push(`${message.text()} (${url})`);
		});
		page.on('pageerror', (error) => {
			this.found.push(`Uncaught: ${error.message}`);
		});
		page.on('response', (response) => {
			const { hostname, protocol } = new URL(response.url());
			if (/^https?:$/.test(protocol) && hostname !== '127.0.0.1') {
				this.found.push(`${response.url()} was reached`);
			}
		});
	}

	/** What was found since the last time. */
	take(): string[] {
		const found = this.found;
		this.found = [];
		return found;
	}
}

function isExpected(url: string, text: string): boolean {
	return (
		text.startsWith('Failed to load resource') &&
		expectedFailures.some(
			({ path, status }) =>
				path.test(url) && (status === undefined || text.includes(` ${status} `)),
		)
	);
}
