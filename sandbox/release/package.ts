export interface Manifest {
	readonly version: string;
	readonly repository?: { readonly url?: string };
	readonly [field: string]: unknown;
}

/** Whether the version is the same wherever it stands; each problem says what to do about it. */
export function versionProblems(
	version: string,
	lock: ReadonlyArray<string | undefined>,
	changelog: string,
	tags: readonly string[],
): string[] {
	const changed = /^## \[?v?([^\s\]]+)/m.exec(changelog)?.[1] ?? 'missing';
	const tagged = tags.filter((tag) => /^v\d/.test(tag));
	const says = `package.json says ${version}`;
	const problems: ReadonlyArray<[isRight: boolean, problem: string]> = [
		[
			/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version),
			`"${version}" in package.json is no version such as 1.2.3`,
		],
		[
			lock.every((locked) => locked === version),
			`package-lock.json says ${lock.join(' and ')}, ${says}: run \`npm install --package-lock-only\``,
		],
		[
			changed === version,
			`The top entry of CHANGELOG.md is ${changed}, ${says}: write "## ${version}" and what has changed`,
		],
		[
			tagged.length === 0 || tagged.includes(`v${version}`),
			`The commit is tagged ${tagged.join(', ')}, ${says}: tag it v${version}`,
		],
	];
	return problems.filter(([isRight]) => !isRight).map(([, problem]) => problem);
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
	const wanted = 'git+https://github.com/<owner>/<name>.git';
	if (named === undefined) problems.push(`Set "repository.url" in package.json to ${wanted}`);
	else if (building !== undefined && building !== named)
		problems.push(`"repository.url" in package.json names ${named}, but this is ${building}`);
	return problems;
}
