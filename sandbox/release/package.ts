export interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly repository?: { readonly url?: string };
	readonly [field: string]: unknown;
}

export interface Versions {
	readonly manifest: string;
	readonly lock: ReadonlyArray<string | undefined>;
	readonly changelog: string;
	readonly tags: readonly string[];
}

/** Whether the version is the same wherever it stands; each problem says what to do about it. */
export function versionProblems({ manifest, lock, changelog, tags }: Versions): string[] {
	const problems: string[] = [];
	const changed = /^## \[?v?([^\s\]]+)/m.exec(changelog)?.[1] ?? 'missing';
	const versionTags = tags.filter((tag) => /^v\d/.test(tag));
	const says = `package.json says ${manifest}`;
	if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(manifest))
		problems.push(`"${manifest}" in package.json is no version such as 1.2.3`);
	if (lock.some((version) => version !== manifest))
		problems.push(
			`package-lock.json says ${lock.join(' and ')}, ${says}: run \`npm install --package-lock-only\``,
		);
	if (changed !== manifest)
		problems.push(
			`The top entry of CHANGELOG.md is ${changed}, ${says}: write "## ${manifest}" and what has changed`,
		);
	if (versionTags.length > 0 && !versionTags.includes(`v${manifest}`))
		problems.push(`The commit is tagged ${versionTags.join(', ')}, ${says}: tag it v${manifest}`);
	return problems;
}

/**
 * What n8n's scan leaves open: dependencies under other names, and the repository, from which alone
 * npm publishes with provenance.
 * @param building owner and name of the GitHub repository that this runs in; undefined elsewhere
 */
export function manifestProblems(manifest: Manifest, building: string | undefined): string[] {
	const problems = ['optionalDependencies', 'bundledDependencies', 'bundleDependencies']
		.filter((field) => field in manifest)
		.map((field) => `Remove "${field}" from package.json: users get the package alone`);
	const url = manifest.repository?.url ?? '';
	const named = /^git\+https:\/\/github\.com\/([^/]+\/[^/]+?)\.git$/.exec(url)?.[1];
	if (named === undefined)
		problems.push(
			'Set "repository.url" in package.json to git+https://github.com/<owner>/<name>.git',
		);
	else if (building !== undefined && building !== named)
		problems.push(`"repository.url" in package.json names ${named}, but this is ${building}`);
	return problems;
}
