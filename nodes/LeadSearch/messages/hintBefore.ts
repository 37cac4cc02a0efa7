import type { NodeHint } from 'n8n-workflow';

/** A warning that is shown before the node runs. @param isShown when, as an expression of n8n */
export const hintBefore = (message: string, isShown: string): NodeHint => ({
	message,
	displayCondition: `={{ ${isShown} }}`,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
});
