/** Gives n8n-core a folder and a key of its own, before a test file loads it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'lead-search-core-'));
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'a key for tests alone';
process.env.N8N_LOG_LEVEL = 'silent';

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});
