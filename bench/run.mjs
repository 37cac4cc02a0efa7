/**
 * `npm run bench`: measures Lead Search side by side with HTTP Request and with undici. See
 * `options.ts` for what it takes; this part installs what is missing first.
 */
import '../sandbox/node-version.mjs';
import process from 'node:process';

import { runMain } from '../sandbox/setup.mjs';

await runMain(new URL('main.ts', import.meta.url), process.argv.slice(2));
