import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** What the output pane shows above the items; the same text once. */
export class OutputHints {
	private readonly messages = new Map<string, 'info' | 'warning'>();

	/** What happened as it should. */
	addInfo(message: string): void {
		this.messages.set(message, 'info');
	}

	/** What people should look at. */
	add(message: string): void {
		this.messages.set(message, 'warning');
	}

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
