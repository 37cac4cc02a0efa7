import type { INodeProperties } from 'n8n-workflow';

import { readBaseUrl } from '../api/baseUrl';
import { InvalidParameterError } from './invalidParameter';
import type { Parameter } from './parameter';

export const BASE_URL_ADVICE =
	"Write the address of the lead search service, e.g. 'https://leads.example.com'.";

const property: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	// Not `required`: n8n's own message names neither the item nor what to write.
	default: '',
	placeholder: 'e.g. https://leads.example.com',
	description: 'Address of the lead search service. A preview is free and needs no credential.',
};

/** Base URL of an operation that needs no credential; read without what an endpoint adds. */
export const baseUrl: Parameter<string> = {
	property,
	read(values) {
		const reading = readBaseUrl(values.get(property.name));
		if ('url' in reading) return reading.url;
		throw new InvalidParameterError(property.displayName, reading.invalid, BASE_URL_ADVICE);
	},
};
