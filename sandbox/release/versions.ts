import type { Finding } from './finding';

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

const versionPattern = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Whether the version is the same wherever it stands. */
export function checkVersions({ manifest, lock, changelog, tags }: Versions): Finding {
	const problems: string[] = [];
	if (!versionPattern.test(manifest)) {
		problems.push(`"${manifest}" in package.json is no version such as 1.2.3`);
	}
	const locked = lock.find((version) => version !== manifest);
	if (lock.some((version) => version !== manifest)) {
		problems.push(
			`package-lock.json says ${locked ?? 'nothing'}, package.json ${manifest}: ` +
				'run `npm install --package-lock-only`',
		);
	}
	const changed = topEntry(changelog);
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
	return { name: `The version is ${manifest} everywhere`, problems };
}

function topEntry(changelog: string): string | undefined {
	return /^## \[?v?([^\s\]]+)/m.exec(changelog)?.[1];
}
