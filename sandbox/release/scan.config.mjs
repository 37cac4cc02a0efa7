/**
 * The rules by which n8n scans a community package once it is published. The scan knows no
 * exceptions, so it is run with `--no-inline-config`.
 */
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const { community, credentials, nodes } = n8nNodesBase.configs;

export default [
	n8nCommunityNodesPlugin.configs.recommended,
	{ rules: { 'no-console': 'error' }, plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{ files: ['**/*.json', '**/*.ts'], languageOptions: { parser: tseslint.parser } },
	{ files: ['package.json'], rules: community.rules },
	{
		files: ['**/credentials/**/*.ts'],
		rules: {
			...credentials.rules,
			// The scan leaves these two out.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: {
			...nodes.rules,
			// And these three.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
];
