/** The fields of the specification for builds, by tool. */
import type { Field } from '../core/query/parse.ts';
import type { FieldType } from '../core/query/values.ts';

/** What several tools have. */
const jvm = [
  'environment.jreVersion',
  'environment.jvmCharset',
  'environment.jvmLocale',
  'environment.jvmVersion',
  'environment.localIPAddress',
  'environment.localHostname',
  'environment.operatingSystem',
];
const buildCache = [
  'buildCache.hasError',
  'buildCache.local.enabled',
  'buildCache.remote.enabled',
  'buildCache.remote.pushEnabled',
];
const settings = [
  'svcSettings.backgroundPublicationEnabled',
  'svcSettings.buildOutputCapturingEnabled',
  'svcSettings.resourceUsageCapturingEnabled',
  'svcSettings.fileFingerprintCapturingEnabled',
  'svcSettings.testOutputCapturingEnabled',
];
const cores = 'environment.numberOfCpuCores';
const heap = 'environment.jvmMaxMemoryHeapSize';

/** By the prefix of a tool. */
const groups: Readonly<Record<string, readonly [type: FieldType, ...names: string[]][]>> = {
  '': [
    ['String', 'user', 'hostname', 'project', 'requested', 'buildTool', 'buildToolVersion'],
    ['Key-value', 'value'],
    ['String', 'tag', 'buildOutcome'],
    ['Duration', 'buildDuration'],
    ['Timestamp', 'buildStartTime'],
    ['Boolean', 'hasVerificationFailure', 'hasNonVerificationFailure'],
  ],
  'gradle.': [
    ['String', 'pluginVersion', 'requestedTasks', 'rootProjectName', 'configurationCache.outcome'],
    ['String', ...jvm],
    ['Boolean', ...buildCache, ...settings],
    [
      'Boolean',
      'buildOptions.buildCacheEnabled',
      'buildOptions.configurationCacheEnabled',
      'buildOptions.configurationOnDemandEnabled',
      'buildOptions.continueOnFailureEnabled',
      'buildOptions.continuousBuildEnabled',
      'buildOptions.daemonEnabled',
      'buildOptions.dryRunEnabled',
      'buildOptions.fileSystemWatchingEnabled',
      'buildOptions.isolatedProjectsEnabled',
      'buildOptions.offlineModeEnabled',
      'buildOptions.parallelProjectExecution',
      'buildOptions.refreshDependenciesEnabled',
      'buildOptions.rerunTasksEnabled',
    ],
    ['Number', 'buildOptions.maxNumberOfGradleWorkers', cores],
    ['Storage size', heap],
  ],
  'maven.': [
    ['String', 'extensionVersion', 'requestedGoals', 'topLevelProjectName', ...jvm],
    ['Boolean', ...buildCache, 'svcSettings.buildCacheEnabled', ...settings],
    [
      'Boolean',
      'buildOptions.batchModeEnabled',
      'buildOptions.debugEnabled',
      'buildOptions.errorsEnabled',
      'buildOptions.failAtEndEnabled',
      'buildOptions.failFastEnabled',
      'buildOptions.failNeverEnabled',
      'buildOptions.laxChecksumsEnabled',
      'buildOptions.nonRecursiveEnabled',
      'buildOptions.noSnapshotUpdatesEnabled',
      'buildOptions.offlineModeEnabled',
      'buildOptions.quietEnabled',
      'buildOptions.rerunGoalsEnabled',
      'buildOptions.strictChecksumsEnabled',
      'buildOptions.updateSnapshotsEnabled',
    ],
    ['Number', 'buildOptions.maxNumberOfThreads', cores],
    ['Storage size', heap],
  ],
  'bazel.': [['String', 'requestedTargets']],
  'sbt.': [
    ['String', 'pluginVersion', 'requestedTasks', 'rootProjectName', ...jvm],
    [
      'Boolean',
      'svcSettings.backgroundPublicationEnabled',
      'svcSettings.buildOutputCapturingEnabled',
      'svcSettings.resourceUsageCapturingEnabled',
      'buildOptions.interactiveModeEnabled',
      'buildOptions.offlineModeEnabled',
      'buildOptions.parallelExecutionEnabled',
      'buildOptions.semanticDbScalacPluginEnabled',
      'buildOptions.turboEnabled',
      'buildOptions.useCoursierEnabled',
    ],
    ['Number', cores],
    ['Storage size', heap],
  ],
  'npm.': [
    ['String', 'agentVersion', 'requestedCommands', 'projectName'],
    ['String', 'environment.nodeVersion', 'environment.nodeLocale', 'environment.operatingSystem'],
    ['Number', cores],
  ],
  'python.': [
    ['String', 'agentVersion', 'requestedCommands', 'projectName'],
    ['String', 'environment.locale', 'environment.operatingSystem'],
    ['Number', cores],
  ],
  'docker.': [['String', 'agentVersion', 'projectName', 'buildName']],
};

/** The builds of an index are its runs, which have values for the fields of npm. A bare word is sought in two of them. */
export const buildFields: readonly Field[] = Object.entries(groups).flatMap(([tool, rows]) =>
  rows.flatMap(([type, ...names]) =>
    names.map((name) => ({
      name: tool + name,
      type,
      isSearched: name === 'requested' || name === 'tag',
    })),
  ),
);
