/** Gives n8n-core a folder and a key of its own, before it is loaded. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'lead-search-core-'));
process.env.N8N_ENCRYPTION_KEY = 'a key for tests alone';
process.env.N8N_LOG_LEVEL = 'silent';
