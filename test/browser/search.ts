import type { Parameters } from '../../sandbox/browser/lead-workflow';

/** A search for the leads in Iceland, with more parameters or others. */
export const search = (more: Parameters = {}): Parameters => ({
	resource: 'lead',
	operation: 'search',
	filters: { personLocationCountry: 'Iceland' },
	...more,
});
