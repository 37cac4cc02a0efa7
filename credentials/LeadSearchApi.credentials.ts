import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { signRequest, type RequestToSign } from '../nodes/LeadSearch/api/authentication';

const UNENCRYPTED =
	'An address with http:// sends the key unencrypted: anyone on the way can read it. Use https:// where the service is not in your own network.';

/**
 * http:// to a host that is none of this machine or of a private network. Those are: names without a dot or
 * for local use, loopback, 10.*, 172.16.* to 172.31.*, 192.168.*, 169.254.*, and IPv6's ::1, fc00::/7 and fe80::/10.
 * n8n shows the words of a credential's test only where it went wrong, hence a notice below the field.
 */
const PUBLIC_HTTP =
	'^\\s*[hH][tT][tT][pP]://(?!(?:[^./:[]+|[^/:]+\\.(?:local|localhost|internal|lan)|(?:127|10)\\.[\\d.]+|(?:192\\.168|169\\.254|172\\.(?:1[6-9]|2\\d|3[01]))\\.[\\d.]+|\\[(?:::1|[fF][cCdDeE][^\\]]*)\\])(?:[:/]|\\s*$))';

/**
 * Is there, and true, where a field is an expression, so that input items may come to different accounts: n8n shows
 * what depends on an expression, whatever its value. What it shows it tells by fields as they are written.
 */
function mayVary(field: string): INodeProperties {
	return {
		displayName: 'May Vary by Item',
		name: 'mayVaryByItem',
		type: 'hidden',
		default: true,
		// No field is just this, unless as an expression.
		displayOptions: { show: { [field]: ['='] } },
	};
}

export class LeadSearchApi implements ICredentialType {
	name = 'leadSearchApi';

	displayName = 'Lead Search API';

	icon = { light: 'file:leadSearch.svg', dark: 'file:leadSearch.dark.svg' } as const;

	documentationUrl = 'https://github.com/n8n-nodes-lead-search/n8n-nodes-lead-search#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://leads.example.com',
			description: 'Address of the lead search service',
		},
		{
			displayName: UNENCRYPTED,
			name: 'unencrypted',
			type: 'notice',
			default: '',
			displayOptions: { show: { baseUrl: [{ _cnd: { regex: PUBLIC_HTTP } }] } },
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{ name: 'API Key as Bearer', value: 'bearer', description: 'Right for most' },
				{
					name: 'API Key as X-API-Key',
					value: 'xApiKey',
					description: 'The same in another header',
				},
				{ name: 'Session Token', value: 'sessionToken', description: 'For LinkedIn lookup only' },
			],
			default: 'bearer',
			description:
				'How to log in. API keys work for search and lookup, and spend API credits. A session token works for LinkedIn lookup only, and spends subscription credits.',
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
				'The most credits that one execution of a workflow, or one poll of a trigger, may spend with this credential, over all its Lead Search nodes; empty for no ceiling. No workflow can raise it. HTTP Request nodes are not covered.',
		},
		...['baseUrl', 'authentication', 'apiKey', 'sessionToken', 'creditCeiling'].map(mayVary),
	];

	/** Signs what Lead Search and n8n's HTTP Request node send. @throws Error for what goes elsewhere than to Base URL */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: RequestToSign,
	): Promise<IHttpRequestOptions> =>
		await Promise.resolve(signRequest(credentials, requestOptions));
}
