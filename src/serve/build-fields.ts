/** The fields of the specification for builds. */
import type { Field } from '../core/query/parse.ts';
import type { FieldType } from '../core/query/values.ts';

const table: Readonly<Record<string, FieldType>> = {
  user: 'String',
  hostname: 'String',
  project: 'String',
  requested: 'String',
  buildTool: 'String',
  buildToolVersion: 'String',
  tag: 'String',
  buildOutcome: 'String',
  value: 'Key-value',
  buildDuration: 'Duration',
  buildStartTime: 'Timestamp',
  hasVerificationFailure: 'Boolean',
  hasNonVerificationFailure: 'Boolean',

  'gradle.pluginVersion': 'String',
  'gradle.requestedTasks': 'String',
  'gradle.rootProjectName': 'String',
  'gradle.configurationCache.outcome': 'String',

  'gradle.environment.jreVersion': 'String',
  'gradle.environment.jvmCharset': 'String',
  'gradle.environment.jvmLocale': 'String',
  'gradle.environment.jvmVersion': 'String',
  'gradle.environment.localIPAddress': 'String',
  'gradle.environment.localHostname': 'String',
  'gradle.environment.operatingSystem': 'String',
  'gradle.environment.numberOfCpuCores': 'Number',
  'gradle.environment.jvmMaxMemoryHeapSize': 'Storage size',

  'gradle.buildCache.hasError': 'Boolean',

  'gradle.buildCache.local.enabled': 'Boolean',

  'gradle.buildCache.remote.enabled': 'Boolean',
  'gradle.buildCache.remote.pushEnabled': 'Boolean',

  'gradle.svcSettings.backgroundPublicationEnabled': 'Boolean',
  'gradle.svcSettings.buildOutputCapturingEnabled': 'Boolean',
  'gradle.svcSettings.resourceUsageCapturingEnabled': 'Boolean',
  'gradle.svcSettings.fileFingerprintCapturingEnabled': 'Boolean',
  'gradle.svcSettings.testOutputCapturingEnabled': 'Boolean',

  'gradle.buildOptions.maxNumberOfGradleWorkers': 'Number',
  'gradle.buildOptions.buildCacheEnabled': 'Boolean',
  'gradle.buildOptions.configurationCacheEnabled': 'Boolean',
  'gradle.buildOptions.configurationOnDemandEnabled': 'Boolean',
  'gradle.buildOptions.continueOnFailureEnabled': 'Boolean',
  'gradle.buildOptions.continuousBuildEnabled': 'Boolean',
  'gradle.buildOptions.daemonEnabled': 'Boolean',
  'gradle.buildOptions.dryRunEnabled': 'Boolean',
  'gradle.buildOptions.fileSystemWatchingEnabled': 'Boolean',
  'gradle.buildOptions.isolatedProjectsEnabled': 'Boolean',
  'gradle.buildOptions.offlineModeEnabled': 'Boolean',
  'gradle.buildOptions.parallelProjectExecution': 'Boolean',
  'gradle.buildOptions.refreshDependenciesEnabled': 'Boolean',
  'gradle.buildOptions.rerunTasksEnabled': 'Boolean',

  'maven.extensionVersion': 'String',
  'maven.requestedGoals': 'String',
  'maven.topLevelProjectName': 'String',

  'maven.environment.jreVersion': 'String',
  'maven.environment.jvmCharset': 'String',
  'maven.environment.jvmLocale': 'String',
  'maven.environment.jvmVersion': 'String',
  'maven.environment.localIPAddress': 'String',
  'maven.environment.localHostname': 'String',
  'maven.environment.operatingSystem': 'String',
  'maven.environment.numberOfCpuCores': 'Number',
  'maven.environment.jvmMaxMemoryHeapSize': 'Storage size',

  'maven.buildCache.hasError': 'Boolean',

  'maven.buildCache.local.enabled': 'Boolean',

  'maven.buildCache.remote.enabled': 'Boolean',
  'maven.buildCache.remote.pushEnabled': 'Boolean',

  'maven.svcSettings.buildCacheEnabled': 'Boolean',
  'maven.svcSettings.backgroundPublicationEnabled': 'Boolean',
  'maven.svcSettings.buildOutputCapturingEnabled': 'Boolean',
  'maven.svcSettings.resourceUsageCapturingEnabled': 'Boolean',
  'maven.svcSettings.fileFingerprintCapturingEnabled': 'Boolean',
  'maven.svcSettings.testOutputCapturingEnabled': 'Boolean',

  'maven.buildOptions.maxNumberOfThreads': 'Number',
  'maven.buildOptions.batchModeEnabled': 'Boolean',
  'maven.buildOptions.debugEnabled': 'Boolean',
  'maven.buildOptions.errorsEnabled': 'Boolean',
  'maven.buildOptions.failAtEndEnabled': 'Boolean',
  'maven.buildOptions.failFastEnabled': 'Boolean',
  'maven.buildOptions.failNeverEnabled': 'Boolean',
  'maven.buildOptions.laxChecksumsEnabled': 'Boolean',
  'maven.buildOptions.nonRecursiveEnabled': 'Boolean',
  'maven.buildOptions.noSnapshotUpdatesEnabled': 'Boolean',
  'maven.buildOptions.offlineModeEnabled': 'Boolean',
  'maven.buildOptions.quietEnabled': 'Boolean',
  'maven.buildOptions.rerunGoalsEnabled': 'Boolean',
  'maven.buildOptions.strictChecksumsEnabled': 'Boolean',
  'maven.buildOptions.updateSnapshotsEnabled': 'Boolean',

  'bazel.requestedTargets': 'String',

  'sbt.pluginVersion': 'String',
  'sbt.requestedTasks': 'String',
  'sbt.rootProjectName': 'String',

  'sbt.environment.jreVersion': 'String',
  'sbt.environment.jvmCharset': 'String',
  'sbt.environment.jvmLocale': 'String',
  'sbt.environment.jvmVersion': 'String',
  'sbt.environment.localIPAddress': 'String',
  'sbt.environment.localHostname': 'String',
  'sbt.environment.operatingSystem': 'String',
  'sbt.environment.numberOfCpuCores': 'Number',
  'sbt.environment.jvmMaxMemoryHeapSize': 'Storage size',

  'sbt.svcSettings.backgroundPublicationEnabled': 'Boolean',
  'sbt.svcSettings.buildOutputCapturingEnabled': 'Boolean',
  'sbt.svcSettings.resourceUsageCapturingEnabled': 'Boolean',

  'sbt.buildOptions.interactiveModeEnabled': 'Boolean',
  'sbt.buildOptions.offlineModeEnabled': 'Boolean',
  'sbt.buildOptions.parallelExecutionEnabled': 'Boolean',
  'sbt.buildOptions.semanticDbScalacPluginEnabled': 'Boolean',
  'sbt.buildOptions.turboEnabled': 'Boolean',
  'sbt.buildOptions.useCoursierEnabled': 'Boolean',

  'npm.agentVersion': 'String',
  'npm.requestedCommands': 'String',
  'npm.projectName': 'String',

  'npm.environment.nodeVersion': 'String',
  'npm.environment.nodeLocale': 'String',
  'npm.environment.operatingSystem': 'String',
  'npm.environment.numberOfCpuCores': 'Number',

  'python.agentVersion': 'String',
  'python.requestedCommands': 'String',
  'python.projectName': 'String',

  'python.environment.locale': 'String',
  'python.environment.operatingSystem': 'String',
  'python.environment.numberOfCpuCores': 'Number',

  'docker.agentVersion': 'String',
  'docker.projectName': 'String',
  'docker.buildName': 'String',
};

/** The builds of an index are its runs, which have values for the fields of npm. A bare word is sought in two of them. */
export const buildFields: readonly Field[] = Object.entries(table).map(([name, type]) => ({
  name,
  type,
  isSearched: name === 'requested' || name === 'tag',
}));
