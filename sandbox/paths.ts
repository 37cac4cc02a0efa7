import { join, resolve } from 'node:path';

/** The project's folder. */
export const projectFolder = resolve(__dirname, '..');

/** The folder of everything that the package is tried and tested with. */
export const sandboxFolder = __dirname;

/** Where everything made on this machine is kept; not under version control. */
export const homeFolder = join(sandboxFolder, '.home');
