/** What a check found. */
export interface Finding {
	/** What is checked, as a sentence that is true when all is well. */
	readonly name: string;
	/** What is wrong and what to do about it, one text each; empty when all is well. */
	readonly problems: readonly string[];
}

/** The lines to print: a mark and the name, then what to do. */
export function tell({ name, problems }: Finding): string {
	const mark = problems.length === 0 ? '✓' : '✗';
	const indented = problems.map((problem) => `    ${problem.replaceAll('\n', '\n    ')}`);
	return [`${mark} ${name}`, ...indented].join('\n');
}

/** The last line: whether to publish. */
export function conclude(findings: readonly Finding[], milliseconds: number): string {
	const failed = findings.filter(({ problems }) => problems.length > 0).length;
	const seconds = Math.round(milliseconds / 1_000);
	return failed === 0
		? `Ready to publish: ${findings.length} checks passed in ${seconds} s`
		: `Not ready to publish: ${failed} of ${findings.length} checks failed, in ${seconds} s`;
}
