/** Where things are; the same as `paths.ts`, for what runs before TypeScript can. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** Where everything made on this machine is kept; not under version control. */
export const homeFolder = join(projectFolder, 'sandbox', '.home');

/** The folder with a pinned n8n: `n8n` is the newest, `n8n-1` the last of the 1.x line. */
export const n8nFolder = (name) => join(projectFolder, 'sandbox', name);
