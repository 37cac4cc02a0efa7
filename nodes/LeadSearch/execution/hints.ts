import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** Collects hints for n8n, the same text once. Their words stand in `messages/hints.ts`. */
export class Hints {
	private readonly messages = new Map<string, 'info' | 'warning'>();

	/** What happened as it should. */
	inform(message: string): void {
		this.messages.set(message, 'info');
	}

	/** What people should look at. */
	readonly warn = (message: string): void => {
		if (message !== '') this.messages.set(message, 'warning');
	};

	show(context: IExecuteFunctions): void {
		const hints = [...this.messages].map(([message, type]): NodeExecutionHint => ({
			message,
			type,
			location: 'outputPane',
		}));
		// Older versions of n8n show no hints.
		if (hints.length > 0 && typeof context.addExecutionHints === 'function') {
			context.addExecutionHints(...hints);
		}
	}
}
