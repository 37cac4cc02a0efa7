/** Packages published as ES modules only; Jest runs CommonJS, so they go through the compiler too. */
const esmOnly = [
	'execa',
	'get-stream',
	'human-signals',
	'is-stream',
	'mimic-fn',
	'npm-run-path',
	'onetime',
	'path-key',
	'strip-final-newline',
];

/** @type {import('jest').Config} */
const shared = {
	rootDir: __dirname,
	testEnvironment: 'node',
	transform: {
		'\\.[cm]?[jt]s$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/sandbox/n8n',
		'<rootDir>/sandbox/.home',
	],
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		{ ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
		{ ...shared, displayName: 'service', testMatch: ['<rootDir>/test/service/**/*.test.ts'] },
		{
			...shared,
			displayName: 'node',
			testMatch: ['<rootDir>/test/node/**/*.test.ts'],
			setupFiles: ['<rootDir>/test/node/environment.ts'],
		},
		{ ...shared, displayName: 'n8n', testMatch: ['<rootDir>/test/n8n/**/*.test.ts'] },
	],
};
