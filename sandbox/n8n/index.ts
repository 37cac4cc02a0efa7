/** Real n8ns to try and test the package in. */
export { N8nClient, testLogin, type Execution, type Login } from './client';
export * from './installation';
export { startN8n, type N8n } from './launch';
export * from './package';
export { chain, manualTrigger, type Fields, type RunOptions, type WorkflowNode } from './workflow';
export type { SavedCredential, SavedWorkflow, Workflow } from './workflow';
