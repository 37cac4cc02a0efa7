/** `scan.mjs <node_modules> <folder> <part>`: runs n8n's scan on a package that isn't published yet. */
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const [packages, folder, part] = process.argv.slice(2);
const scanner = join(packages, '@n8n', 'scan-community-package', 'scanner', 'scanner.mjs');
const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(pathToFileURL(scanner).href);

const patterns = part === 'sources' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];
const { passed, message, details = '' } = await analyzePackage(folder, patterns);
if (message) process.stdout.write(`${message}\n${details}\n`);
process.exitCode = passed ? 0 : 1;
