import type { Field, FieldType } from './values.ts';

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

const environment = {
  String: 'jreVersion jvmCharset jvmLocale jvmVersion localIPAddress localHostname operatingSystem',
  Number: 'numberOfCpuCores',
  'Storage size': 'jvmMaxMemoryHeapSize',
};
const buildCache = 'hasError local.enabled remote.enabled remote.pushEnabled';
const capturing =
  'backgroundPublicationEnabled buildOutputCapturingEnabled resourceUsageCapturingEnabled';
const moreCapturing = `${capturing} fileFingerprintCapturingEnabled testOutputCapturingEnabled`;

/** Fields of the specification for which no run has a value: a prefix, a type, and the names after the prefix. */
const table: readonly [prefix: string, type: FieldType, names: string][] = [
  ['', 'String', 'user hostname'],
  ['gradle.', 'String', 'pluginVersion requestedTasks rootProjectName configurationCache.outcome'],
  [
    'gradle.buildOptions.',
    'Boolean',
    'buildCacheEnabled configurationCacheEnabled configurationOnDemandEnabled continueOnFailureEnabled continuousBuildEnabled daemonEnabled dryRunEnabled fileSystemWatchingEnabled isolatedProjectsEnabled offlineModeEnabled parallelProjectExecution refreshDependenciesEnabled rerunTasksEnabled',
  ],
  ['gradle.buildOptions.', 'Number', 'maxNumberOfGradleWorkers'],
  ['maven.', 'String', 'extensionVersion requestedGoals topLevelProjectName'],
  [
    'maven.buildOptions.',
    'Boolean',
    'batchModeEnabled debugEnabled errorsEnabled failAtEndEnabled failFastEnabled failNeverEnabled laxChecksumsEnabled nonRecursiveEnabled noSnapshotUpdatesEnabled offlineModeEnabled quietEnabled rerunGoalsEnabled strictChecksumsEnabled updateSnapshotsEnabled',
  ],
  ['maven.buildOptions.', 'Number', 'maxNumberOfThreads'],
  ['maven.svcSettings.', 'Boolean', 'buildCacheEnabled'],
  ...['gradle', 'maven'].flatMap((tool): [string, FieldType, string][] => [
    [`${tool}.buildCache.`, 'Boolean', buildCache],
    [`${tool}.svcSettings.`, 'Boolean', moreCapturing],
  ]),
  ...['gradle', 'maven', 'sbt'].flatMap((tool) =>
    Object.entries(environment).map(([type, names]): [string, FieldType, string] => [
      `${tool}.environment.`,
      type as FieldType,
      names,
    ]),
  ),
  ['bazel.', 'String', 'requestedTargets'],
  ['sbt.', 'String', 'pluginVersion requestedTasks rootProjectName'],
  [
    'sbt.buildOptions.',
    'Boolean',
    'interactiveModeEnabled offlineModeEnabled parallelExecutionEnabled semanticDbScalacPluginEnabled turboEnabled useCoursierEnabled',
  ],
  ['sbt.svcSettings.', 'Boolean', capturing],
  [
    'python.',
    'String',
    'agentVersion requestedCommands projectName environment.locale environment.operatingSystem',
  ],
  ['python.environment.', 'Number', 'numberOfCpuCores'],
  ['docker.', 'String', 'agentVersion projectName buildName'],
];

export const unrecordedFields: readonly Field[] = table.flatMap(([prefix, type, names]) =>
  names.split(' ').map((name) => ({ name: prefix + name, type, isUnrecorded: true as const })),
);
