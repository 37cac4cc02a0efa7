/** Real n8ns to try and test the package in. */
export { N8nClient, testLogin, type Login } from './client';
export type { Execution } from './execution';
export { findInstallation, installationNames, pinnedVersion } from './installation';
export type { InstallationName } from './installation';
export { buildPackage, isBuilt, packPackage } from './package-tarball';
export type { RunOptions } from './request-bodies';
export type { PackedPackage } from './package-tarball';
export { startQueueMode, type QueueMode, type QueueModeOptions, type Worker } from './queue-mode';
export { readEverythingSaved } from './saved-data';
export { startN8n, type N8nProcess as N8n } from './launch';
export { createUserFolder } from './user-folder';
export { chain, manualTrigger } from './workflow';
export type { SavedCredential, SavedWorkflow, Workflow, WorkflowNode } from './workflow';
