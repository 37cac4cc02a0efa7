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

/** Whether the version is the same wherever it stands. */
export function versionProblems({ manifest, lock, changelog, tags }: Versions): string[] {
	const changed = /^## \[?v?([^\s\]]+)/m.exec(changelog)?.[1] ?? 'missing';
	const versionTags = tags.filter((tag) => /^v\d/.test(tag));
	return found(
		!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(manifest) &&
			`"${manifest}" in package.json is no version such as 1.2.3`,
		lock.some((version) => version !== manifest) &&
			`package-lock.json says ${lock.join(' and ')}, package.json ${manifest}: run \`npm install --package-lock-only\``,
		changed !== manifest &&
			`The top entry of CHANGELOG.md is ${changed}, package.json says ${manifest}: write "## ${manifest}" and what has changed`,
		versionTags.length > 0 &&
			!versionTags.includes(`v${manifest}`) &&
			`The commit is tagged ${versionTags.join(', ')}, package.json says ${manifest}: tag it v${manifest}`,
	);
}

const userInstalls = ['optionalDependencies', 'bundledDependencies', 'bundleDependencies'];

/**
 * What n8n's scan leaves open: dependencies under other names, and the repository, from which alone
 * npm publishes with provenance.
 *
 * @param building owner and name of the GitHub repository that this runs in; undefined elsewhere
 */
export function manifestProblems(manifest: Manifest, building: string | undefined): string[] {
	const url = manifest.repository?.url ?? '';
	const named = /^git\+https:\/\/github\.com\/([^/]+\/[^/]+?)\.git$/.exec(url)?.[1];
	const differs = building !== undefined && building !== named;
	return found(
		...userInstalls
			.filter((field) => field in manifest)
			.map((field) => `Remove "${field}" from package.json: users get the package alone`),
		named === undefined
			? 'Set "repository.url" in package.json to git+https://github.com/<owner>/<name>.git'
			: differs && `"repository.url" in package.json names ${named}, but this is ${building}`,
	);
}

/** Each problem says what is wrong and what to do about it; false stands for none. */
function found(...problems: ReadonlyArray<string | false>): string[] {
	return problems.filter((problem) => problem !== false);
}
