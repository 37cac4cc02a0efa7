/** `npm run release:check`: see `check.ts`; this part installs what is missing first. */
import '../node-version.mjs';

import { installN8n, installNodeCli, runMain } from '../setup.mjs';

const installations = [() => installN8n('n8n-1'), installNodeCli];
await runMain(new URL('check.ts', import.meta.url), undefined, installations);
