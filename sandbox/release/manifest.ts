import type { Finding } from './finding';

/** The parts of a package.json that matter for publishing. */
export interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly scripts?: Readonly<Record<string, string>>;
	readonly repository?: { readonly url?: string };
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
	readonly bundledDependencies?: readonly string[];
	readonly bundleDependencies?: readonly string[];
	/** The built files that n8n loads. */
	readonly n8n: { readonly nodes: readonly string[]; readonly credentials: readonly string[] };
}

/** npm runs these by itself when the package is installed, packed or published. */
const lifecycleScripts = [
	'preinstall',
	'install',
	'postinstall',
	'preprepare',
	'prepare',
	'postprepare',
	'prepublish',
	'prepublishOnly',
	'publish',
	'postpublish',
	'prepack',
	'postpack',
];

/** Users get nothing but the package itself; n8n Cloud takes none with dependencies. */
export function checkDependencies(manifest: Manifest): Finding {
	const { dependencies, optionalDependencies, bundledDependencies, bundleDependencies } =
		manifest;
	const names = [
		...Object.keys(dependencies ?? {}),
		...Object.keys(optionalDependencies ?? {}),
		...(bundledDependencies ?? []),
		...(bundleDependencies ?? []),
	];
	return {
		name: 'There are no runtime dependencies',
		problems: names.map(
			(name) => `Remove ${name} from package.json, or move it to devDependencies`,
		),
	};
}

/** What is published is what the checks have built, and nothing runs on the user's machine. */
export function checkScripts({ scripts = {} }: Manifest): Finding {
	return {
		name: 'No script runs by itself on installing or publishing',
		problems: lifecycleScripts
			.filter((name) => name in scripts)
			.map(
				(name) =>
					`Remove the script "${name}" from package.json, or call it by another name`,
			),
	};
}

/**
 * npm publishes with provenance only from the repository that package.json names.
 *
 * @param building owner and name of the GitHub repository that this runs in; undefined elsewhere
 */
export function checkRepository({ repository }: Manifest, building: string | undefined): Finding {
	const url = repository?.url ?? '';
	const [, named] = /^git\+https:\/\/github\.com\/([^/]+\/[^/]+?)\.git$/.exec(url) ?? [];
	const problems: string[] = [];
	if (named === undefined) {
		problems.push(
			'Set "repository.url" in package.json to git+https://github.com/<owner>/<name>.git',
		);
	} else if (building !== undefined && building !== named) {
		problems.push(`"repository.url" in package.json names ${named}, but this is ${building}`);
	}
	return { name: 'package.json names the repository on GitHub', problems };
}
