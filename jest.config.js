/** @type {import('jest').Config} */
const shared = {
	rootDir: __dirname,
	testEnvironment: 'node',
	runtime: '<rootDir>/test/runtime.js',
	setupFiles: ['<rootDir>/test/seed.ts'],
	transform: {
		'\\.[cm]?[jt]s$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/sandbox/n8n', '<rootDir>/sandbox/.home'],
};

/** @type {import('jest').Config} */
module.exports = {
	// The default leaves one core free, which is half of a machine with two cores.
	maxWorkers: '100%',
	// Long enough that only tests that hang time out, even on a busy machine.
	testTimeout: 300_000,
	projects: [
		{
			...shared,
			displayName: 'unit',
			testMatch: ['<rootDir>/test/{unit,paging}/**/*.test.ts'],
		},
		{ ...shared, displayName: 'docs', testMatch: ['<rootDir>/test/docs/**/*.test.ts'] },
		{ ...shared, displayName: 'service', testMatch: ['<rootDir>/test/service/**/*.test.ts'] },
		{
			...shared,
			displayName: 'node',
			testMatch: ['<rootDir>/test/node/**/*.test.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/node/environment.ts'],
		},
		{ ...shared, displayName: 'release', testMatch: ['<rootDir>/test/release/**/*.test.ts'] },
		{ ...shared, displayName: 'soak', testMatch: ['<rootDir>/test/soak/**/*.test.ts'] },
		{
			...shared,
			displayName: 'workflows',
			testMatch: ['<rootDir>/test/workflows/**/*.test.ts'],
		},
		{ ...shared, displayName: 'n8n', testMatch: ['<rootDir>/test/n8n/**/*.test.ts'] },
		{ ...shared, displayName: 'n8n-1', testMatch: ['<rootDir>/test/n8n-1/**/*.test.ts'] },
		{ ...shared, displayName: 'browser', testMatch: ['<rootDir>/test/browser/**/*.test.ts'] },
		{ ...shared, displayName: 'scale', testMatch: ['<rootDir>/test/scale/**/*.test.ts'] },
	],
};
