/** Real n8ns to try and test the package in. */
export { N8nClient } from './client';
export type { CredentialTest, CredentialType, ExecutionSummary, Login, NodeType } from './client';
export type { Execution, Failure, Hint, Item, NodeRun } from './execution';
export { findInstallation, installationNames, pinnedVersion } from './installation';
export type { Installation, InstallationName } from './installation';
export { buildPackage, describePackage, isBuilt, packPackage } from './package-tarball';
export type { PackedFile, PackedPackage } from './package-tarball';
export { startQueueMode } from './queue-mode';
export type { QueueMode, QueueModeOptions, Worker } from './queue-mode';
export type { RunOptions } from './request-bodies';
export { RestError } from './rest';
export { readEverythingSaved } from './saved-data';
export { startN8n } from './launch';
export type { LaunchOptions, N8nProcess as N8n } from './launch';
export { createUserFolder } from './user-folder';
export { chain, manualTrigger } from './workflow';
export type { SavedCredential, SavedWorkflow, Workflow, WorkflowNode } from './workflow';
