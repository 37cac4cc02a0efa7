/**
 * What users see, in the editor of a real n8n. All parts share one n8n and one browser, since their
 * start takes longer than a test; `-t` picks some of them by name.
 */
import './nodesPanel';
import './previewParameters';
import './searchParameters';
import './lookUpParameters';
import './switching';
import './trigger';
import './newCredential';
import './credentialRefusals';
import './beforeRuns';
import './goodRuns';
import './stoppedRuns';
import './hints';
