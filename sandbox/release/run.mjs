/** `npm run release:check`: see `check.ts`; this part installs what is missing first. */
import '../node-version.mjs';

import { runMain } from '../setup.mjs';

await runMain(new URL('check.ts', import.meta.url), undefined, 'n8n-1', 'node-cli');
