import type { PackedPackage } from '../n8n/index';

/** The parts of a package.json that matter for publishing. */
export interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly repository?: { readonly url?: string };
	readonly [field: string]: unknown;
}

/** Everywhere that a version stands. */
export interface Versions {
	readonly manifest: string;
	/** The lock file's own version, and that of its entry for the package; they are one. */
	readonly lock: ReadonlyArray<string | undefined>;
	/** The whole of CHANGELOG.md, newest version first. */
	readonly changelog: string;
	/** Tags at the commit; those that are no versions don't matter. */
	readonly tags: readonly string[];
}

/** Each function returns what is wrong and what to do about it, one text each. */
type Problems = string[];

/** Whether the version is the same wherever it stands. */
export function versionProblems({ manifest, lock, changelog, tags }: Versions): Problems {
	const problems: Problems = [];
	if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(manifest)) {
		problems.push(`"${manifest}" in package.json is no version such as 1.2.3`);
	}
	if (lock.some((version) => version !== manifest)) {
		problems.push(
			`package-lock.json says ${lock.join(' and ')}, package.json ${manifest}: ` +
				'run `npm install --package-lock-only`',
		);
	}
	const changed = /^## \[?v?([^\s\]]+)/m.exec(changelog)?.[1];
	if (changed !== manifest) {
		problems.push(
			`The top entry of CHANGELOG.md is ${changed ?? 'missing'}, package.json says ${manifest}: ` +
				`write "## ${manifest}" and what has changed`,
		);
	}
	const versionTags = tags.filter((tag) => /^v\d/.test(tag));
	if (versionTags.length > 0 && !versionTags.includes(`v${manifest}`)) {
		problems.push(
			`The commit is tagged ${versionTags.join(', ')}, package.json says ${manifest}: ` +
				`tag it v${manifest}`,
		);
	}
	return problems;
}

/**
 * What n8n's scan leaves open: dependencies under other names, and the repository, from which alone
 * npm publishes with provenance.
 *
 * @param building owner and name of the GitHub repository that this runs in; undefined elsewhere
 */
export function manifestProblems(manifest: Manifest, building: string | undefined): Problems {
	const problems = ['optionalDependencies', 'bundledDependencies', 'bundleDependencies']
		.filter((field) => field in manifest)
		.map((field) => `Remove "${field}" from package.json: users get the package alone`);
	const url = manifest.repository?.url ?? '';
	const [, named] = /^git\+https:\/\/github\.com\/([^/]+\/[^/]+?)\.git$/.exec(url) ?? [];
	if (named === undefined) {
		problems.push(
			'Set "repository.url" in package.json to git+https://github.com/<owner>/<name>.git',
		);
	} else if (building !== undefined && building !== named) {
		problems.push(`"repository.url" in package.json names ${named}, but this is ${building}`);
	}
	return problems;
}

const maxBytes = 70_000;
const besidesDist = ['LICENSE.md', 'README.md', 'package.json'];

/** Whether the tarball is small, and holds what was built and what npm wants beside it alone. */
export function tarballProblems({ files, size }: PackedPackage): Problems {
	const paths = files.map(({ path }) => path);
	const isBuilt = (path: string) => /^dist\/(nodes|credentials)\//.test(path);
	const problems = besidesDist
		.filter((path) => !paths.includes(path))
		.map((path) => `${path} is missing`);
	if (!paths.some(isBuilt)) problems.push('dist is empty: run `npm run build`');
	for (const path of paths) {
		if (isBuilt(path) || besidesDist.includes(path)) continue;
		problems.push(
			`${path} does not belong there: see "files" in package.json and tsconfig.build.json`,
		);
	}
	if (size >= maxBytes) {
		problems.push(
			`${size} bytes are too many: look with \`npm pack --dry-run\` at what is large`,
		);
	}
	return problems;
}
