/** The fields of the specification for builds. */
import type { Field } from '../core/query/parse.ts';
import type { FieldType } from '../core/query/values.ts';

const groups: readonly { type: FieldType; names: readonly string[] }[] = [
  {
    type: 'String',
    names: [
      'user',
      'hostname',
      'project',
      'requested',
      'buildTool',
      'buildToolVersion',
      'tag',
      'buildOutcome',

      'gradle.pluginVersion',
      'gradle.requestedTasks',
      'gradle.rootProjectName',
      'gradle.configurationCache.outcome',
      'gradle.environment.jreVersion',
      'gradle.environment.jvmCharset',
      'gradle.environment.jvmLocale',
      'gradle.environment.jvmVersion',
      'gradle.environment.localIPAddress',
      'gradle.environment.localHostname',
      'gradle.environment.operatingSystem',

      'maven.extensionVersion',
      'maven.requestedGoals',
      'maven.topLevelProjectName',
      'maven.environment.jreVersion',
      'maven.environment.jvmCharset',
      'maven.environment.jvmLocale',
      'maven.environment.jvmVersion',
      'maven.environment.localIPAddress',
      'maven.environment.localHostname',
      'maven.environment.operatingSystem',

      'bazel.requestedTargets',

      'sbt.pluginVersion',
      'sbt.requestedTasks',
      'sbt.rootProjectName',
      'sbt.environment.jreVersion',
      'sbt.environment.jvmCharset',
      'sbt.environment.jvmLocale',
      'sbt.environment.jvmVersion',
      'sbt.environment.localIPAddress',
      'sbt.environment.localHostname',
      'sbt.environment.operatingSystem',

      'npm.agentVersion',
      'npm.requestedCommands',
      'npm.projectName',
      'npm.environment.nodeVersion',
      'npm.environment.nodeLocale',
      'npm.environment.operatingSystem',

      'python.agentVersion',
      'python.requestedCommands',
      'python.projectName',
      'python.environment.locale',
      'python.environment.operatingSystem',

      'docker.agentVersion',
      'docker.projectName',
      'docker.buildName',
    ],
  },
  {
    type: 'Number',
    names: [
      'gradle.environment.numberOfCpuCores',
      'gradle.buildOptions.maxNumberOfGradleWorkers',

      'maven.environment.numberOfCpuCores',
      'maven.buildOptions.maxNumberOfThreads',

      'sbt.environment.numberOfCpuCores',

      'npm.environment.numberOfCpuCores',

      'python.environment.numberOfCpuCores',
    ],
  },
  {
    type: 'Boolean',
    names: [
      'hasVerificationFailure',
      'hasNonVerificationFailure',

      'gradle.buildCache.hasError',
      'gradle.buildCache.local.enabled',
      'gradle.buildCache.remote.enabled',
      'gradle.buildCache.remote.pushEnabled',
      'gradle.svcSettings.backgroundPublicationEnabled',
      'gradle.svcSettings.buildOutputCapturingEnabled',
      'gradle.svcSettings.resourceUsageCapturingEnabled',
      'gradle.svcSettings.fileFingerprintCapturingEnabled',
      'gradle.svcSettings.testOutputCapturingEnabled',
      'gradle.buildOptions.buildCacheEnabled',
      'gradle.buildOptions.configurationCacheEnabled',
      'gradle.buildOptions.configurationOnDemandEnabled',
      'gradle.buildOptions.continueOnFailureEnabled',
      'gradle.buildOptions.continuousBuildEnabled',
      'gradle.buildOptions.daemonEnabled',
      'gradle.buildOptions.dryRunEnabled',
      'gradle.buildOptions.fileSystemWatchingEnabled',
      'gradle.buildOptions.isolatedProjectsEnabled',
      'gradle.buildOptions.offlineModeEnabled',
      'gradle.buildOptions.parallelProjectExecution',
      'gradle.buildOptions.refreshDependenciesEnabled',
      'gradle.buildOptions.rerunTasksEnabled',

      'maven.buildCache.hasError',
      'maven.buildCache.local.enabled',
      'maven.buildCache.remote.enabled',
      'maven.buildCache.remote.pushEnabled',
      'maven.svcSettings.buildCacheEnabled',
      'maven.svcSettings.backgroundPublicationEnabled',
      'maven.svcSettings.buildOutputCapturingEnabled',
      'maven.svcSettings.resourceUsageCapturingEnabled',
      'maven.svcSettings.fileFingerprintCapturingEnabled',
      'maven.svcSettings.testOutputCapturingEnabled',
      'maven.buildOptions.batchModeEnabled',
      'maven.buildOptions.debugEnabled',
      'maven.buildOptions.errorsEnabled',
      'maven.buildOptions.failAtEndEnabled',
      'maven.buildOptions.failFastEnabled',
      'maven.buildOptions.failNeverEnabled',
      'maven.buildOptions.laxChecksumsEnabled',
      'maven.buildOptions.nonRecursiveEnabled',
      'maven.buildOptions.noSnapshotUpdatesEnabled',
      'maven.buildOptions.offlineModeEnabled',
      'maven.buildOptions.quietEnabled',
      'maven.buildOptions.rerunGoalsEnabled',
      'maven.buildOptions.strictChecksumsEnabled',
      'maven.buildOptions.updateSnapshotsEnabled',

      'sbt.svcSettings.backgroundPublicationEnabled',
      'sbt.svcSettings.buildOutputCapturingEnabled',
      'sbt.svcSettings.resourceUsageCapturingEnabled',
      'sbt.buildOptions.interactiveModeEnabled',
      'sbt.buildOptions.offlineModeEnabled',
      'sbt.buildOptions.parallelExecutionEnabled',
      'sbt.buildOptions.semanticDbScalacPluginEnabled',
      'sbt.buildOptions.turboEnabled',
      'sbt.buildOptions.useCoursierEnabled',
    ],
  },
  {
    type: 'Duration',
    names: ['buildDuration'],
  },
  {
    type: 'Timestamp',
    names: ['buildStartTime'],
  },
  {
    type: 'Storage size',
    names: [
      'gradle.environment.jvmMaxMemoryHeapSize',
      'maven.environment.jvmMaxMemoryHeapSize',
      'sbt.environment.jvmMaxMemoryHeapSize',
    ],
  },
  {
    type: 'Key-value',
    names: ['value'],
  },
];

/** The builds of an index are its runs, which have values for the fields of npm. A bare word is sought in two of them. */
export const buildFields: readonly Field[] = groups.flatMap(({ type, names }) =>
  names.map((name) => ({ name, type, isSearched: name === 'requested' || name === 'tag' })),
);
