import type { Fields } from '../../sandbox/n8n/index';

/** A search for the leads in Iceland, with more parameters or others. */
export const search = (more: Fields = {}): Fields => ({
	resource: 'lead',
	operation: 'buyLeads',
	filters: { personLocationCountry: 'Iceland' },
	...more,
});
