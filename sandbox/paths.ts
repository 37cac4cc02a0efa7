import { join, resolve } from 'node:path';

/** The project's folder. */
export const projectFolder = resolve(__dirname, '..');

/** Where everything made on this machine is kept; not under version control. */
export const homeFolder = join(projectFolder, 'sandbox', '.home');

/** The folder with the pinned n8n. */
export const n8nFolder = join(projectFolder, 'sandbox', 'n8n');
