import type { Field, FieldSet, FieldType } from './values.ts';

/** The fields of a query for runs: the fields of the specification that are known of a run of the index. */
export const buildFields: readonly Field[] = [
  { name: 'project', type: 'String' },
  { name: 'buildTool', type: 'String' },
  { name: 'buildToolVersion', type: 'String' },
  { name: 'buildOutcome', type: 'String', values: ['succeeded', 'failed'] },
  { name: 'buildDuration', type: 'Duration', isExact: true },
  { name: 'buildStartTime', type: 'Timestamp' },
  { name: 'requested', type: 'String', isSearched: true },
  { name: 'value', type: 'Key-value' },
  { name: 'tag', type: 'String', isSearched: true },
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

type NamesByType = Partial<Record<FieldType, string>>;

const environment: NamesByType = {
  String: 'jreVersion jvmCharset jvmLocale jvmVersion localIPAddress localHostname operatingSystem',
  Number: 'numberOfCpuCores',
  'Storage size': 'jvmMaxMemoryHeapSize',
};
const buildCache = 'hasError local.enabled remote.enabled remote.pushEnabled';
const capturing =
  'backgroundPublicationEnabled buildOutputCapturingEnabled resourceUsageCapturingEnabled';
const moreCapturing = `${capturing} fileFingerprintCapturingEnabled testOutputCapturingEnabled`;

/** The fields of the specification for which no run has a value: by prefix and type, the names behind the prefix. */
const unrecordedNames: Readonly<Record<string, NamesByType>> = {
  '': { String: 'user hostname' },
  'gradle.': {
    String: 'pluginVersion requestedTasks rootProjectName configurationCache.outcome',
  },
  'gradle.buildOptions.': {
    Boolean:
      'buildCacheEnabled configurationCacheEnabled configurationOnDemandEnabled continueOnFailureEnabled continuousBuildEnabled daemonEnabled dryRunEnabled fileSystemWatchingEnabled isolatedProjectsEnabled offlineModeEnabled parallelProjectExecution refreshDependenciesEnabled rerunTasksEnabled',
    Number: 'maxNumberOfGradleWorkers',
  },
  'gradle.buildCache.': { Boolean: buildCache },
  'gradle.svcSettings.': { Boolean: moreCapturing },
  'gradle.environment.': environment,
  'maven.': { String: 'extensionVersion requestedGoals topLevelProjectName' },
  'maven.buildOptions.': {
    Boolean:
      'batchModeEnabled debugEnabled errorsEnabled failAtEndEnabled failFastEnabled failNeverEnabled laxChecksumsEnabled nonRecursiveEnabled noSnapshotUpdatesEnabled offlineModeEnabled quietEnabled rerunGoalsEnabled strictChecksumsEnabled updateSnapshotsEnabled',
    Number: 'maxNumberOfThreads',
  },
  'maven.buildCache.': { Boolean: buildCache },
  'maven.svcSettings.': { Boolean: `buildCacheEnabled ${moreCapturing}` },
  'maven.environment.': environment,
  'bazel.': { String: 'requestedTargets' },
  'sbt.': { String: 'pluginVersion requestedTasks rootProjectName' },
  'sbt.buildOptions.': {
    Boolean:
      'interactiveModeEnabled offlineModeEnabled parallelExecutionEnabled semanticDbScalacPluginEnabled turboEnabled useCoursierEnabled',
  },
  'sbt.svcSettings.': { Boolean: capturing },
  'sbt.environment.': environment,
  'python.': { String: 'agentVersion requestedCommands projectName' },
  'python.environment.': { String: 'locale operatingSystem', Number: 'numberOfCpuCores' },
  'docker.': { String: 'agentVersion projectName buildName' },
};

/** All fields of the specification. */
export const buildFieldSet: FieldSet = {
  fields: [...buildFields, ...listUnrecordedFields()],
  allowsNegatedPresence: true,
};

function listUnrecordedFields(): Field[] {
  const fields: Field[] = [];

  for (const [prefix, namesByType] of Object.entries(unrecordedNames)) {
    for (const type of ['String', 'Boolean', 'Number', 'Storage size'] as const) {
      for (const name of namesByType[type]?.split(' ') ?? []) {
        fields.push({ name: prefix + name, type, isUnrecorded: true });
      }
    }
  }

  return fields;
}
