import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/**
 * The rules of `npm run lint`: n8n's rules for the files that are published, stricter rules for the whole project.
 * `eslint.config.mjs` must stay exactly as n8n's own tool requires it.
 */
const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/**
 * Layers of `nodes/LeadSearch`, from the bottom. A folder imports only from layers below it. Folders of the same layer don't
 * import each other.
 */
const LAYERS = [
	['api'],
	['paging'],
	['parameters'],
	['messages'],
	['resources'],
	['spending'],
	['cache'],
	['execution', 'methods'],
	['trigger'],
];

/**
 * n8n is asked for a run's execution in one file, so that budgets, costs and reuse agree about its scope. A `catch` would
 * hide that n8n lacks such a function.
 */
const ASKED = ['Identifier[name', 'Literal[value'].map((node) => ({
	selector: `${node}=/^(getExecutionId|getMode|getWorkflow|getContext)$/]`,
	message: 'Only spending/scope.ts may ask n8n for the scope of a run.',
}));
const CAUGHT = ASKED.map(({ selector }) => ({
	selector: `TryStatement[handler] > .block ${selector}`,
	message: 'The catch would hide that n8n lacks this function.',
}));
const LOGGED = [
	{
		selector: 'Identifier[name="logger"]',
		message: 'Only spending/log.ts may log, so that each line names the node.',
	},
];

/** A literal that is spread into a literal only saves lines. */
const SPREAD_LITERALS = [
	'ObjectExpression > SpreadElement > ObjectExpression.argument',
	'ArrayExpression > SpreadElement > ArrayExpression.argument',
].map((selector) => ({ selector, message: 'Write the properties or elements themselves.' }));

const forbidding = (...all) => ({
	'no-restricted-syntax': ['error', ...SPREAD_LITERALS, ...all],
});

export default tseslint.config(
	{ ignores: ['dist/', '**/node_modules/', 'sandbox/.home/', 'coverage/'] },

	// Strict rules with type information for all TypeScript files.
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			// Messages contain numbers on purpose.
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			// `Array<A | B>` reads better than `(A | B)[]`; simple ones stay `A[]`.
			'@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
			// n8n's own types are index signatures.
			'@typescript-eslint/consistent-indexed-object-style': 'off',
		},
	},

	{ files: ['**/*.ts', '**/*.mjs'], rules: forbidding() },

	// Functions that only one file may call, and the layers of imports.
	{ files: ['nodes/**/*.ts'], rules: forbidding(...ASKED, ...CAUGHT, ...LOGGED) },
	{
		files: ['nodes/LeadSearch/spending/scope.ts', 'nodes/LeadSearch/trigger/*.ts'],
		rules: forbidding(...CAUGHT, ...LOGGED),
	},
	{ files: ['nodes/LeadSearch/spending/log.ts'], rules: forbidding(...ASKED, ...CAUGHT) },
	...LAYERS.flatMap((folders, at) =>
		folders.map((folder) => {
			const others = [...LAYERS.slice(at + 1).flat(), ...folders.filter((one) => one !== folder)];
			const regex = `^(\\.\\./)+(?:(?:${others.join('|')})/|[A-Z])`;
			return {
				files: [`nodes/LeadSearch/${folder}/**/*.ts`],
				rules: {
					'no-restricted-imports': ['error', { patterns: [{ regex, caseSensitive: true }] }],
				},
			};
		}),
	),

	// n8n Cloud's rules, as n8n's scan applies them.
	{
		files: published,
		...n8nCommunityNodesPlugin.configs.recommended,
	},
	{
		files: ['package.json'],
		...n8nCommunityNodesPlugin.configs.recommended,
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},

	// The rules of n8n's own nodes.
	{ files: published, plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// These rules require the literal 'main', which n8n Cloud's rules forbid.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// This rule is for n8n's own docs. A community credential has a full URL here.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['package.json'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: n8nNodesBase.configs.community.rules,
	},
);
