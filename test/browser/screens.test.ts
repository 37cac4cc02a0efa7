/**
 * Tests the editor of a real n8n. All parts share one n8n and one browser, because their start takes longer than a
 * test. `-t` selects tests by name.
 */
import './parameters';
import './credential';
import './loop';
import './runs';
import './jobs';
