/** n8n's editor in a real browser, to test and picture what a user sees. */
export { CredentialDialog } from './credential-dialog';
export { Editor, type WindowOptions } from './editor';
export {
	openLeadSearch,
	openLeadSearchTrigger,
	openNewWorkflow,
	type NodeSetup,
	type Parameters,
} from './lead-workflow';
export { NodePanel } from './node-panel';
export { NodesPanel } from './nodes-panel';
export { Output } from './output';
export { startFixture, type Fixture } from './fixture';
