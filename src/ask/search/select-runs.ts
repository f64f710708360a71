import { pickDefined } from '../../core/model/objects.ts';
import type { Query } from '../../core/query/parse.ts';
import { describeExcess } from '../../core/query/query-cost.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { createSelector } from '../../core/query/selection.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';

/**
 * The runs that a query selects. As for releases, a term on a field that a run does not have is false, and its negation true.
 * Throws a `QuestionError` with a remedy if the selection may take too long.
 */
export function selectRuns(query: Query, runs: readonly Run[], remedy: string): Run[] {
  const excess = describeExcess(query, runs.length, 'runs');
  if (excess !== undefined) {
    throw new QuestionError('request', `query: ${excess}. ${remedy}`, {
      members: { parameter: 'query' },
    });
  }

  const isSelected = createSelector(query, (field) => (row: BuildRow) => row[field]);
  return runs.filter((run) => isSelected(toRow(run)));
}

/** The values of the fields in `build-fields.ts`. */
type BuildRow = Readonly<Record<string, unknown>>;

function toRow(run: Run): BuildRow {
  const { npm, requested, startedAt, finishedAt, troubles, waits } = run;
  // A run with a held change has failed, too, but only the outcome says so.
  const tags = [troubles && 'failed', waits && 'held', run.events > 0 && 'changed'];
  const values = pickDefined(run, ['asOf', 'commit', 'node', 'components', 'asked', 'events']);

  const row = {
    project: run.projectName,
    buildToolVersion: npm,
    buildOutcome: describeOutcome(run),
    buildDuration: Date.parse(finishedAt) - Date.parse(startedAt),
    buildStartTime: startedAt,
    requested,
    value: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)])),
    tag: tags.filter(Boolean),
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
    'npm.requestedCommands': run.requested,
    'npm.projectName': run.projectName,
    'npm.environment.nodeVersion': run.node,
    'npm.environment.nodeLocale': run.nodeLocale,
    'npm.environment.operatingSystem': run.operatingSystem,
    'npm.environment.numberOfCpuCores': run.numberOfCpuCores,
  };
}

/** `failed` also for a run with a held change. */
export function describeOutcome({ troubles, waits }: Run): string {
  return troubles || waits ? 'failed' : 'succeeded';
}
