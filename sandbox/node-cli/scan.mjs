/**
 * n8n's scan of community packages, for a package that isn't published: prints what it finds, and
 * then ends with exit code 1.
 *
 *     node scan.mjs <folder> sources    what it scans of the published commit
 *     node scan.mjs <folder> tarball    what it scans of the unpacked tarball
 */
import process from 'node:process';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const [folder, part] = process.argv.slice(2);
const patterns = part === 'sources' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];
const { passed, message, details = '' } = await analyzePackage(folder, patterns);
if (message) process.stdout.write(`${message}\n${details}\n`);
process.exitCode = passed ? 0 : 1;
