/** Where things are; the same as `paths.ts`, for what runs before TypeScript can. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** Where everything made on this machine is kept; not under version control. */
export const homeFolder = join(projectFolder, 'sandbox', '.home');

/** The folder with the pinned n8n. */
export const n8nFolder = join(projectFolder, 'sandbox', 'n8n');
