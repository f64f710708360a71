/** Lists the fields of builds, which the specification defines. */
import type { Field } from '../../ask/query/parse.ts';
import type { FieldType } from '../../ask/query/values.ts';

type Row = readonly [type: FieldType, ...names: string[]];

/** Fields that several build tools have. */
const jvm: readonly Row[] = [
  [
    'String',
    'jreVersion',
    'jvmCharset',
    'jvmLocale',
    'jvmVersion',
    'localIPAddress',
    'localHostname',
    'operatingSystem',
  ],
  ['Number', 'numberOfCpuCores'],
  ['Storage size', 'jvmMaxMemoryHeapSize'],
];
const buildCache: Row = [
  'Boolean',
  'hasError',
  'local.enabled',
  'remote.enabled',
  'remote.pushEnabled',
];
const settings: Row = [
  'Boolean',
  'backgroundPublicationEnabled',
  'buildOutputCapturingEnabled',
  'resourceUsageCapturingEnabled',
];
const furtherSettings: Row = [
  'Boolean',
  'fileFingerprintCapturingEnabled',
  'testOutputCapturingEnabled',
];

/** Groups of fields, by the beginning of their names. */
const groups: Readonly<Record<string, readonly Row[]>> = {
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
  ],
  'gradle.environment.': jvm,
  'gradle.buildCache.': [buildCache],
  'gradle.svcSettings.': [settings, furtherSettings],
  'gradle.buildOptions.': [
    [
      'Boolean',
      'buildCacheEnabled',
      'configurationCacheEnabled',
      'configurationOnDemandEnabled',
      'continueOnFailureEnabled',
      'continuousBuildEnabled',
      'daemonEnabled',
      'dryRunEnabled',
      'fileSystemWatchingEnabled',
      'isolatedProjectsEnabled',
      'offlineModeEnabled',
      'parallelProjectExecution',
      'refreshDependenciesEnabled',
      'rerunTasksEnabled',
    ],
    ['Number', 'maxNumberOfGradleWorkers'],
  ],
  'maven.': [['String', 'extensionVersion', 'requestedGoals', 'topLevelProjectName']],
  'maven.environment.': jvm,
  'maven.buildCache.': [buildCache],
  'maven.svcSettings.': [['Boolean', 'buildCacheEnabled'], settings, furtherSettings],
  'maven.buildOptions.': [
    [
      'Boolean',
      'batchModeEnabled',
      'debugEnabled',
      'errorsEnabled',
      'failAtEndEnabled',
      'failFastEnabled',
      'failNeverEnabled',
      'laxChecksumsEnabled',
      'nonRecursiveEnabled',
      'noSnapshotUpdatesEnabled',
      'offlineModeEnabled',
      'quietEnabled',
      'rerunGoalsEnabled',
      'strictChecksumsEnabled',
      'updateSnapshotsEnabled',
    ],
    ['Number', 'maxNumberOfThreads'],
  ],
  'bazel.': [['String', 'requestedTargets']],
  'sbt.': [['String', 'pluginVersion', 'requestedTasks', 'rootProjectName']],
  'sbt.environment.': jvm,
  'sbt.svcSettings.': [settings],
  'sbt.buildOptions.': [
    [
      'Boolean',
      'interactiveModeEnabled',
      'offlineModeEnabled',
      'parallelExecutionEnabled',
      'semanticDbScalacPluginEnabled',
      'turboEnabled',
      'useCoursierEnabled',
    ],
  ],
  'npm.': [['String', 'agentVersion', 'requestedCommands', 'projectName']],
  'npm.environment.': [
    ['String', 'nodeVersion', 'nodeLocale', 'operatingSystem'],
    ['Number', 'numberOfCpuCores'],
  ],
  'python.': [['String', 'agentVersion', 'requestedCommands', 'projectName']],
  'python.environment.': [
    ['String', 'locale', 'operatingSystem'],
    ['Number', 'numberOfCpuCores'],
  ],
  'docker.': [['String', 'agentVersion', 'projectName', 'buildName']],
};

/**
 * All fields of builds that a query can name. The builds of an index are its runs. A run may have fields about npm. It never has fields
 * about other build tools.
 */
export const buildFields: readonly Field[] = Object.entries(groups).flatMap(([start, rows]) =>
  rows.flatMap(([type, ...names]) =>
    names.map((name) => ({
      name: start + name,
      type,
      // A word of a query that names no field is searched in these two fields.
      isSearched: name === 'requested' || name === 'tag',
    })),
  ),
);
