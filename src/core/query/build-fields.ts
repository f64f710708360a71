import type { Field } from './field-types.ts';

/** The fields of a query for runs: the fields of the specification that are known of a run of the index. */
export const buildFields: readonly Field[] = [
  { name: 'project', type: 'String' },
  { name: 'buildTool', type: 'String' },
  { name: 'buildToolVersion', type: 'String' },
  { name: 'buildOutcome', type: 'String', values: ['succeeded', 'failed'] },
  { name: 'buildDuration', type: 'Duration' },
  { name: 'buildStartTime', type: 'Timestamp' },
  { name: 'requested', type: 'String' },
  { name: 'value', type: 'Key-value' },
  { name: 'tag', type: 'String' },
  { name: 'hasVerificationFailure', type: 'Boolean' },
  { name: 'hasNonVerificationFailure', type: 'Boolean' },
  { name: 'npm.agentVersion', type: 'String' },
  { name: 'npm.requestedCommands', type: 'String' },
  { name: 'npm.projectName', type: 'String' },
  { name: 'npm.environment.nodeVersion', type: 'String' },
  { name: 'npm.environment.nodeLocale', type: 'String' },
  { name: 'npm.environment.operatingSystem', type: 'String' },
  { name: 'npm.environment.numberOfCpuCores', type: 'Number' },
];
