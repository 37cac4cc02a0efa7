/** Real n8ns, in which the package is tried and tested. */
export { N8nClient, testLogin, type Execution, type Login } from './client';
export { findInstallation, migratedDatabase, pinnedVersion } from './launch';
export { startN8n, startN8nWithSqlite } from './launch';
export type { InstallationName, N8n } from './launch';
export * from './package';
export * from './sandbox';
export { chain, manualTrigger, node, readWorkflow, workflowNames } from './workflow';
export type { Fields, RunOptions, SavedCredential, SavedWorkflow } from './workflow';
export type { Workflow, WorkflowNode } from './workflow';
