/**
 * Fields of a query for builds, as in the specification of a build data service: test/specification/specification.md. The builds of
 * an index are its runs.
 */
import type { Field, FieldSet } from './field-types.ts';

/** The fields for which runs of the index have values. */
export const recordedBuildFields: readonly Field[] = [
  { name: 'project', type: 'String' },
  { name: 'buildTool', type: 'String' },
  { name: 'buildToolVersion', type: 'String' },
  { name: 'buildOutcome', type: 'String', allowedValues: ['succeeded', 'failed'] },
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

/** By type, the names of fields, separated by white space. */
type NamesByType = Partial<Record<'String' | 'Boolean' | 'Number' | 'Storage size', string>>;

const jvmEnvironment: NamesByType = {
  String: 'jreVersion jvmCharset jvmLocale jvmVersion localIPAddress localHostname operatingSystem',
  Number: 'numberOfCpuCores',
  'Storage size': 'jvmMaxMemoryHeapSize',
};
const buildCache: NamesByType = {
  Boolean: 'hasError local.enabled remote.enabled remote.pushEnabled',
};
const capturing =
  'backgroundPublicationEnabled buildOutputCapturingEnabled resourceUsageCapturingEnabled';
const moreCapturing = `${capturing} fileFingerprintCapturingEnabled testOutputCapturingEnabled`;

/** The fields for which no run has a value, such as those of other build tools: by prefix and type, the rest of their names. */
const unrecordedNames: Readonly<Record<string, NamesByType>> = {
  '': { String: 'user hostname' },
  'gradle.': {
    String: 'pluginVersion requestedTasks rootProjectName configurationCache.outcome',
  },
  'gradle.buildOptions.': {
    Boolean: `
      buildCacheEnabled configurationCacheEnabled configurationOnDemandEnabled continueOnFailureEnabled
      continuousBuildEnabled daemonEnabled dryRunEnabled fileSystemWatchingEnabled isolatedProjectsEnabled
      offlineModeEnabled parallelProjectExecution refreshDependenciesEnabled rerunTasksEnabled`,
    Number: 'maxNumberOfGradleWorkers',
  },
  'gradle.buildCache.': buildCache,
  'gradle.svcSettings.': { Boolean: moreCapturing },
  'gradle.environment.': jvmEnvironment,
  'maven.': { String: 'extensionVersion requestedGoals topLevelProjectName' },
  'maven.buildOptions.': {
    Boolean: `
      batchModeEnabled debugEnabled errorsEnabled failAtEndEnabled failFastEnabled failNeverEnabled
      laxChecksumsEnabled nonRecursiveEnabled noSnapshotUpdatesEnabled offlineModeEnabled quietEnabled
      rerunGoalsEnabled strictChecksumsEnabled updateSnapshotsEnabled`,
    Number: 'maxNumberOfThreads',
  },
  'maven.buildCache.': buildCache,
  'maven.svcSettings.': { Boolean: `buildCacheEnabled ${moreCapturing}` },
  'maven.environment.': jvmEnvironment,
  'bazel.': { String: 'requestedTargets' },
  'sbt.': { String: 'pluginVersion requestedTasks rootProjectName' },
  'sbt.buildOptions.': {
    Boolean: `
      interactiveModeEnabled offlineModeEnabled parallelExecutionEnabled semanticDbScalacPluginEnabled
      turboEnabled useCoursierEnabled`,
  },
  'sbt.svcSettings.': { Boolean: capturing },
  'sbt.environment.': jvmEnvironment,
  'python.': { String: 'agentVersion requestedCommands projectName' },
  'python.environment.': { String: 'locale operatingSystem', Number: 'numberOfCpuCores' },
  'docker.': { String: 'agentVersion projectName buildName' },
};

/** All fields that a query for builds may name. */
export const buildFieldSet: FieldSet = {
  fields: [...recordedBuildFields, ...listUnrecordedFields()],
  allowsNegatedPresence: true,
};

function listUnrecordedFields(): Field[] {
  const fields: Field[] = [];

  for (const [prefix, namesByType] of Object.entries(unrecordedNames)) {
    for (const [type, names] of Object.entries(namesByType)) {
      for (const name of names.trim().split(/\s+/)) {
        fields.push({ name: prefix + name, type: type as keyof NamesByType, isUnrecorded: true });
      }
    }
  }

  return fields;
}
