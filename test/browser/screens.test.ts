/**
 * What users see, in the editor of a real n8n. All parts share one n8n and one browser, since their
 * start takes longer than a test; `-t` picks some of them by name.
 */
import './parameters';
import './credential';
import './expressions';
import './runs';
