import type { Endpoint } from './endpoint';
import { lookup } from './lookup';
import { preview } from './preview';
import { search } from './search';

/** Every endpoint, by its path; all are POST. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
	[preview, search, lookup].map((endpoint) => [endpoint.path, endpoint]),
);
