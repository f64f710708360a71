import { readQuery } from '../../ask/published-index.ts';
import { selects } from '../../ask/query/match.ts';
import type { Run } from '../../core/schema/recorded.ts';
import { buildFields } from './fields.ts';

/** Describes a run as an item of `/api/builds`. */
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

/** Lists the events of a run as messages. The id of a message is its position; the first is 1. */
export function listEventMessages(run: Run): (Message & { readonly eventType: string })[] {
  return listEvents(run).map(({ at, eventType, data }, position) => {
    const type = { majorVersion: 1, minorVersion: 0, eventType };
    return {
      id: String(position + 1),
      event: 'BuildEvent',
      eventType,
      data: { timestamp: Date.parse(at), type, data },
    };
  });
}

/** Lists the events of a run, with keys in the order of the specification. */
function listEvents(run: Run) {
  const { startedAt, at, finishedAt, troubles = [], waits = [] } = run;
  const { asked, answered = 0, events, commit } = run;
  const failures = troubles.map(({ at: failedAt = at, component, source, reason }) => ({
    at: failedAt,
    eventType: 'SourceFailed',
    data: { component, source, reason },
  }));
  return [
    { at: startedAt, eventType: 'BuildStarted', data: {} },
    { at: startedAt, eventType: 'BuildRequestedTasks', data: listTasks(run) },
    ...failures.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    ...waits.map((wait) => ({ at, eventType: 'ChangeHeld', data: wait })),
    {
      at: finishedAt,
      eventType: 'BuildFinished',
      data: { outcome: findOutcome(run), asked, answered, events, commit },
    },
  ];
}

const skip = '--skip-';

function listTasks({ requested }: Run) {
  const skipping = requested.filter((task) => task.startsWith(skip));
  return {
    requested: requested.filter((task) => !skipping.includes(task)),
    excluded: skipping.map((task) => task.slice(skip.length)),
  };
}

function findOutcome({ troubles, waits }: Run): 'failed' | 'succeeded' {
  return troubles || waits ? 'failed' : 'succeeded';
}

/** Returns the runs that a query selects. `now`: the instant to which relative times refer. */
export function selectRuns(
  text: string,
  runs: readonly Run[],
  now = new Date().toISOString(),
): Run[] {
  const query = readQuery(text, now, buildFields);
  return runs.filter((run) => selects(query, toRow(run)));
}

function toRow(run: Run) {
  const { npm, requested, troubles, waits, projectName } = run;
  const { asOf, commit, node, components, asked, events } = run;
  return {
    project: projectName,
    buildToolVersion: npm,
    buildOutcome: findOutcome(run),
    buildDuration: Date.parse(run.finishedAt) - Date.parse(run.startedAt),
    buildStartTime: run.startedAt,
    requested,
    value: { asOf, node, components, asked, events, ...(commit !== undefined && { commit }) },
    tag: [troubles && 'failed', waits && 'held', events > 0 && 'changed'].filter(Boolean),
    hasVerificationFailure: waits !== undefined,
    hasNonVerificationFailure: troubles !== undefined,
    ...(npm !== undefined && {
      buildTool: 'npm',
      'npm.agentVersion': run.program,
      'npm.requestedCommands': requested,
      'npm.projectName': projectName,
      'npm.environment.nodeVersion': node,
      'npm.environment.nodeLocale': run.nodeLocale,
      'npm.environment.operatingSystem': run.operatingSystem,
      'npm.environment.numberOfCpuCores': run.numberOfCpuCores,
    }),
  };
}
