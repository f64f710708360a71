import type { Run } from '../core/schema/events.ts';
import { readQuery, select } from './releases.ts';
import type { Field } from '../core/query/parse.ts';
import type { FieldType } from '../core/query/values.ts';

/** A build is a run of the index. The specification's tools have no other name for it. */
export function describeBuild(run: Run) {
  return {
    id: run.id,
    availableAt: Date.parse(run.finishedAt),
    buildToolType: run.npm === undefined ? 'unknown' : 'npm',
    buildToolVersion: run.npm ?? 'unknown',
    buildAgentVersion: run.program,
  };
}

/** A message of Server-Sent Events. */
export interface Message {
  readonly id: string;
  readonly event: 'Build' | 'BuildEvent';
  readonly data: object;
}

export function createBuildMessage(run: Run): Message {
  const build = describeBuild(run);
  const data = {
    buildId: build.id,
    timestamp: build.availableAt,
    toolType: build.buildToolType,
    toolVersion: build.buildToolVersion,
    agentVersion: build.buildAgentVersion,
  };
  return { id: run.id, event: 'Build', data };
}

const skip = '--skip-';

/** The events of a run, in the order of the specification. Their ids are their positions, from 1. */
export function listEventMessages(run: Run): (Message & { readonly eventType: string })[] {
  const { requested, troubles = [], waits = [], asked, answered = 0, events, commit } = run;
  const tasks = {
    requested: requested.filter((task) => !task.startsWith(skip)),
    excluded: requested
      .filter((task) => task.startsWith(skip))
      .map((task) => task.slice(skip.length)),
  };
  const failures = troubles.map(({ kind: _, at = run.at, ...trouble }) => ({
    at,
    eventType: 'SourceFailed',
    data: trouble,
  }));

  return [
    { at: run.startedAt, eventType: 'BuildStarted', data: {} },
    { at: run.startedAt, eventType: 'BuildRequestedTasks', data: tasks },
    ...failures.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    ...waits.map((wait) => ({ at: run.at, eventType: 'ChangeHeld', data: wait })),
    {
      at: run.finishedAt,
      eventType: 'BuildFinished',
      data: { outcome: findOutcome(run), asked, answered, events, commit },
    },
  ].map(({ at, eventType, data }, position) => {
    const type = { majorVersion: 1, minorVersion: 0, eventType };
    return {
      id: String(position + 1),
      event: 'BuildEvent',
      eventType,
      data: { timestamp: Date.parse(at), type, data },
    };
  });
}

function findOutcome({ troubles, waits }: Run): 'failed' | 'succeeded' {
  return troubles || waits ? 'failed' : 'succeeded';
}

/** The runs that a query selects, as of an instant. A run has the fields of npm where npm started it; all other fields are unknown. */
export function selectRuns(
  text: string,
  runs: readonly Run[],
  now = new Date().toISOString(),
): Run[] {
  return select(readQuery(text, now, buildFields), runs, toRow);
}

const valueKeys = ['asOf', 'commit', 'node', 'components', 'asked', 'events'] as const;

function toRow(run: Run): Readonly<Record<string, unknown>> {
  const { npm, requested, troubles, waits, projectName } = run;
  const values = valueKeys.filter((key) => run[key] !== undefined);
  const row = {
    project: projectName,
    buildToolVersion: npm,
    buildOutcome: findOutcome(run),
    buildDuration: Date.parse(run.finishedAt) - Date.parse(run.startedAt),
    buildStartTime: run.startedAt,
    requested,
    value: Object.fromEntries(values.map((key) => [key, String(run[key])])),
    tag: [troubles && 'failed', waits && 'held', run.events > 0 && 'changed'].filter(Boolean),
    hasVerificationFailure: waits !== undefined,
    hasNonVerificationFailure: troubles !== undefined,
  };
  if (npm === undefined) {
    return row;
  }

  return {
    ...row,
    buildTool: 'npm',
    'npm.agentVersion': run.program,
    'npm.requestedCommands': requested,
    'npm.projectName': projectName,
    'npm.environment.nodeVersion': run.node,
    'npm.environment.nodeLocale': run.nodeLocale,
    'npm.environment.operatingSystem': run.operatingSystem,
    'npm.environment.numberOfCpuCores': run.numberOfCpuCores,
  };
}

/** The fields of the specification for builds. The builds of an index are its runs, which have values for those of npm. */

const jvm = `
  environment.jreVersion environment.jvmCharset environment.jvmLocale environment.jvmVersion
  environment.localIPAddress environment.localHostname environment.operatingSystem
  Number environment.numberOfCpuCores Size environment.jvmMaxMemoryHeapSize`;
const cache =
  'buildCache.hasError buildCache.local.enabled buildCache.remote.enabled buildCache.remote.pushEnabled';
const capturing =
  'svcSettings.backgroundPublicationEnabled svcSettings.buildOutputCapturingEnabled svcSettings.resourceUsageCapturingEnabled';
const moreCapturing = `${capturing} svcSettings.fileFingerprintCapturingEnabled svcSettings.testOutputCapturingEnabled`;

/** By prefix, the names of fields, each behind the word for its type, which is String at first. */
const names = {
  '': `user hostname project requested buildTool buildToolVersion tag buildOutcome Pair value Duration buildDuration
    Timestamp buildStartTime Boolean hasVerificationFailure hasNonVerificationFailure`,
  'gradle.': `pluginVersion requestedTasks rootProjectName configurationCache.outcome ${jvm}
    Number buildOptions.maxNumberOfGradleWorkers
    Boolean ${cache} ${moreCapturing}
    ${prefix(
      'buildOptions',
      `buildCacheEnabled configurationCacheEnabled configurationOnDemandEnabled
      continueOnFailureEnabled continuousBuildEnabled daemonEnabled dryRunEnabled fileSystemWatchingEnabled
      isolatedProjectsEnabled offlineModeEnabled parallelProjectExecution refreshDependenciesEnabled rerunTasksEnabled`,
    )}`,
  'maven.': `extensionVersion requestedGoals topLevelProjectName ${jvm}
    Number buildOptions.maxNumberOfThreads
    Boolean svcSettings.buildCacheEnabled ${cache} ${moreCapturing}
    ${prefix(
      'buildOptions',
      `batchModeEnabled debugEnabled errorsEnabled failAtEndEnabled failFastEnabled
      failNeverEnabled laxChecksumsEnabled nonRecursiveEnabled noSnapshotUpdatesEnabled offlineModeEnabled
      quietEnabled rerunGoalsEnabled strictChecksumsEnabled updateSnapshotsEnabled`,
    )}`,
  'bazel.': 'requestedTargets',
  'sbt.': `pluginVersion requestedTasks rootProjectName ${jvm} Boolean ${capturing}
    ${prefix(
      'buildOptions',
      `interactiveModeEnabled offlineModeEnabled parallelExecutionEnabled
      semanticDbScalacPluginEnabled turboEnabled useCoursierEnabled`,
    )}`,
  'npm.': `agentVersion requestedCommands projectName environment.nodeVersion environment.nodeLocale
    environment.operatingSystem Number environment.numberOfCpuCores`,
  'python.': `agentVersion requestedCommands projectName environment.locale environment.operatingSystem
    Number environment.numberOfCpuCores`,
  'docker.': 'agentVersion projectName buildName',
};

const types: Readonly<Record<string, FieldType>> = { Pair: 'Key-value', Size: 'Storage size' };

export const buildFields: readonly Field[] = listFields();

function listFields(): Field[] {
  const fields: Field[] = [];
  for (const [start, text] of Object.entries(names)) {
    let type: FieldType = 'String';
    for (const word of text.trim().split(/\s+/)) {
      if (/^[A-Z]/.test(word)) {
        type = types[word] ?? (word as FieldType);
        continue;
      }

      const name = `${start}${word}`;
      fields.push({ name, type, isSearched: name === 'requested' || name === 'tag' });
    }
  }
  return fields;
}

function prefix(group: string, list: string): string {
  return list.replaceAll(/\w+/g, (name) => `${group}.${name}`);
}
