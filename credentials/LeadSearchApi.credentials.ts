import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { signRequest, type RequestToSign } from '../nodes/LeadSearch/api/authentication';

/**
 * Declares a hidden field that is true if another field is an expression: the credential can then differ by item.
 * n8n only passes on fields that it shows. A field that depends on an expression is always shown.
 */
function createExpressionMarker(field: string): INodeProperties {
	return {
		displayName: 'May Vary by Item',
		name: 'mayVaryByItem',
		type: 'hidden',
		default: true,
		// No other field has exactly this value.
		displayOptions: { show: { [field]: ['='] } },
	};
}

export class LeadSearchApi implements ICredentialType {
	name = 'leadSearchApi';

	displayName = 'Lead Search API';

	icon = { light: 'file:leadSearch.svg', dark: 'file:leadSearch.dark.svg' } as const;

	documentationUrl =
		'https://github.com/n8n-nodes-lead-search/n8n-nodes-lead-search/blob/main/docs/install.md#the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://leads.example.com',
			description:
				'Address of the lead search service. With http://, the key is sent unencrypted, so use http:// only in your own network.',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'API Key as Bearer',
					value: 'bearer',
					description: 'The right choice for most users',
				},
				{
					name: 'API Key as X-API-Key',
					value: 'xApiKey',
					description: 'The same key in another header',
				},
				{ name: 'Session Token', value: 'sessionToken', description: 'For LinkedIn lookup only' },
			],
			default: 'bearer',
			description:
				'How to authenticate. API keys work for search and lookup, and spend API credits. A session token works only for LinkedIn lookup, and spends subscription credits.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			displayOptions: { show: { authentication: ['bearer', 'xApiKey'] } },
			description: "Generated in the lead service's dashboard",
		},
		{
			displayName: 'Session Token',
			name: 'sessionToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			displayOptions: { show: { authentication: ['sessionToken'] } },
			description: "The login token of the lead service's dashboard",
		},
		{
			displayName: 'Credit Ceiling',
			name: 'creditCeiling',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: '',
			placeholder: 'none',
			description:
				'Max number of credits that one execution of a workflow, or one poll of a trigger, may spend with this credential in all its Lead Search nodes. Leave empty for no limit. Workflows cannot raise this limit. It does not apply to HTTP Request nodes.',
		},
		...['baseUrl', 'authentication', 'apiKey', 'sessionToken', 'creditCeiling'].map(
			createExpressionMarker,
		),
	];

	/**
	 * Adds the secret to requests of Lead Search and of n8n's HTTP Request node.
	 *
	 * @throws Error if a request goes to another origin than Base URL
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: RequestToSign,
	): Promise<IHttpRequestOptions> =>
		await Promise.resolve(signRequest(credentials, requestOptions));
}
