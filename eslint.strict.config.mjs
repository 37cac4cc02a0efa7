import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/**
 * The rules of `npm run lint`, for all of the project: n8n's for what is published, stricter ones for
 * everything. `eslint.config.mjs` beside it has to stay as n8n's own tool wants it, word for word.
 */
const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** Folders of `nodes/LeadSearch` from the bottom; those in one line don't import each other, and none what is above. */
const LAYERS = [
	...[['api'], ['paging'], ['parameters'], ['messages'], ['resources']],
	...[['spending'], ['cache'], ['execution', 'methods'], ['trigger']],
];

/** Budgets, sums and reuse would disagree if several places asked n8n what a run belongs to; a `catch` would hide what n8n lacks. */
const ASKED = ['Identifier[name', 'Literal[value'].map((node) => ({
	selector: `${node}=/^(getExecutionId|getMode|getWorkflow|getContext)$/]`,
	message: 'spending/scope.ts asks n8n what a run belongs to.',
}));
const CAUGHT = ASKED.map(({ selector }) => ({
	selector: `TryStatement[handler] > .block ${selector}`,
	message: 'What n8n lacks would be hidden.',
}));
const LOGGED = [
	{
		selector: 'Identifier[name="logger"]',
		message: 'spending/log.ts writes the log: each line names what runs.',
	},
];

const forbidding = (...all) => ({ 'no-restricted-syntax': ['error', ...all] });

export default tseslint.config(
	{ ignores: ['dist/', '**/node_modules/', 'sandbox/.home/', 'coverage/'] },

	// Strict, with types: everything in TypeScript.
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			// Numbers in messages are meant.
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			// `Array<A | B>` reads better than `(A | B)[]`; simple ones stay `A[]`.
			'@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
			// n8n's own types are index signatures.
			'@typescript-eslint/consistent-indexed-object-style': 'off',
		},
	},

	// One place for each, and imports run downward.
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
			// They want the literal 'main', which n8n Cloud's rules forbid.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// It is for n8n's own docs; a community credential has a full address here.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['package.json'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: n8nNodesBase.configs.community.rules,
	},
);
