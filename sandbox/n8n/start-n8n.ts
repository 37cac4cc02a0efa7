import { launch, type Command, type LaunchOptions, type N8nProcess } from './launch';

/** How to start an n8n; the port is the one of editor and API. */
export type N8nOptions = LaunchOptions;

/** A running n8n; its address is the one of editor and API. */
export type N8n = N8nProcess;

const start: Command = {
	name: 'start',
	/** `/healthz` answers before n8n can be used, and so does `/rest/settings`, with a text. */
	async isUp(url) {
		const response = await fetch(`${url}/rest/settings`, {
			signal: AbortSignal.timeout(2_000),
		});
		const text = await response.text();
		return response.ok && text.startsWith('{');
	},
};

/**
 * Starts a pinned n8n on 127.0.0.1 and waits until its API answers.
 *
 * It ends with this process, however this one ends.
 *
 * @throws Error when it isn't installed; with the end of n8n's log when it doesn't start.
 */
export function startN8n(options: N8nOptions): Promise<N8n> {
	return launch(start, options);
}
