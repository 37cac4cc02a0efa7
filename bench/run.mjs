/** `npm run bench`: see `main.ts`; this part installs what is missing first. */
import '../sandbox/node-version.mjs';
import process from 'node:process';

import { runMain } from '../sandbox/setup.mjs';

await runMain(new URL('main.ts', import.meta.url), process.argv.slice(2));
