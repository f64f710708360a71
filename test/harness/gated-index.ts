import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../src/core/model/dates.ts';
import { findLastFreePhase } from '../../src/core/model/phases.ts';
import type { Freshness } from '../../src/core/schemas/recorded/freshness.ts';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import type { Advisory } from '../../src/core/schemas/advisory.ts';
import type { RecordedData, StatedLine } from '../../src/core/schemas/recorded/recorded.ts';
import { foldJournal } from '../../src/decide/fold-journal.ts';
import { judgeRecorded, type Judged } from '../../src/decide/judge.ts';
import { judgeComponentEdit } from '../../src/record/gate/judge-component-edit.ts';
import { judgeGathered } from '../../src/record/gate/judge-gathered.ts';
import { findLastAcceptedOn, type UsedDecision } from '../../src/record/gate/decisions.ts';
import type { WaitingChange } from '../../src/record/gate/rules/waiting-change.ts';
import { uniteAnswers, type GatherResult } from '../../src/record/gather/unite-answers.ts';
import { describeChange, numberEvents } from '../../src/record/journal/events/describe-change.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import { answer, outcomeOf } from './merging.ts';
import { definition } from './root.ts';
import type { StatedRelease } from '../../src/record/sources/datasource.ts';

/** What upstreams state on a day; a source that is absent does not answer. */
export interface Statement {
  releases?: readonly (string | StatedRelease)[];
  lines?: readonly StatedLine[];
  advisories?: Readonly<Record<string, Advisory | undefined>>;
  /** The definition as people have edited it. */
  definition?: Readonly<Record<string, unknown>>;
  /** The recorded data as people have edited it. */
  data?: (recorded: RecordedData) => RecordedData;
}

export type GatedDay = ReturnType<ReturnType<typeof openGatedIndex>['run']>;

export const releasesId = 'npm:x';
const linesId = 'support endoflife-date:x';
const advisoriesId = 'osv:https://example.com/osv';

/** One component of an index over many days, in memory: judged, gathered, judged again and recorded as a run does it. */
export function openGatedIndex(about: Readonly<Record<string, unknown>> = {}) {
  const sources = [
    { datasource: 'npm', packageName: 'x' },
    { datasource: 'osv', url: 'https://example.com/osv' },
  ];
  const read = (more: object) => FullDefinition.parse(definition({ sources, ...about, ...more }));
  let counted = read({});
  let data: RecordedData = { releases: [] };
  let freshness: Freshness = { sources: {} };
  let held: readonly WaitingChange[] = [];
  let journal: readonly JournalEvent[] = [];
  const open = new Set<string>();
  const used: UsedDecision[] = [];

  const judgeOn = (day: Day) => judgeRecorded('svc', counted, data, day);
  const past = (day: Day) => ({
    ...{ name: 'svc', day, journal, waits: held, accepted: open },
    acceptedOn: findLastAcceptedOn(used, ['svc']),
  });

  function use(ids: readonly string[], on: Day) {
    for (const id of ids) {
      open.delete(id);
      used.push({ id, on, at: `${on}T05:00:00.000Z` });
    }
  }

  /** Returns what waits; else the edits count from now on. */
  function edit(day: Day, { definition: more = {}, data: editData }: Statement): WaitingChange[] {
    const edited = { definition: read(more), data: editData?.(data) ?? data };
    if (edited.data === data && isDeepStrictEqual(edited.definition, counted)) {
      return [];
    }

    const commit = '0'.repeat(40);
    const { wait, used: accepted = [] } = judgeComponentEdit({
      ...past(day),
      before: { definition: counted, inherited: [], data },
      after: { ...edited, inherited: [] },
      causes: ['components/svc.json'],
      commits: { definition: commit, data: commit },
    });
    use(accepted, day);

    if (wait) {
      return [wait];
    }

    counted = edited.definition;
    data = edited.data;

    return [];
  }

  function gather(day: Day, { releases, lines, advisories }: Statement): GatherResult {
    const silent = (id: string) =>
      freshness.sources[id]
        ? [{ kind: 'failed' as const, id, reason: 'status 503', findings: [] }]
        : [];
    const outcomes = [
      releases ? outcomeOf(answer(releasesId, releases, { day })) : silent(releasesId),
      lines ? { ...outcomeOf(answer(linesId, [])), lines } : silent(linesId),
      advisories
        ? {
            ...outcomeOf(answer(advisoriesId, [])),
            advisories: { byId: new Map(Object.entries(advisories)), isComplete: false },
          }
        : silent(advisoriesId),
    ].flat();
    const input = { component: 'svc', definition: counted, ...data, freshness, waits: held };
    return uniteAnswers({ ...input, accepted: open }, outcomes, day);
  }

  /** Returns what waits; the rest is recorded. */
  function take(day: Day, result: GatherResult): readonly WaitingChange[] {
    const component = { ...past(day), definition: counted, data, freshness };
    const verdict = judgeGathered(component, result);
    use(verdict.used, day);
    ({ data } = verdict);
    ({ freshness } = result);

    return verdict.waiting;
  }

  return {
    run(day: Day, statement: Statement) {
      const edits = edit(day, statement);
      const isWritable = edits.every(({ dataCommit }) => dataCommit === undefined);
      const gathered = gather(day, statement);
      const earlier = used.length;
      const waiting = isWritable ? take(day, gathered) : [];
      held = [...edits, ...waiting];

      const judged = judgeOn(day);
      const drafts = describeChange(foldJournal(journal), judged, day);
      const events = numberEvents(journal, drafts, `${day}T05:00:00.000Z`, judged);
      journal = [...journal, ...events];
      const failed = gathered.sources.filter(({ kind }) => kind === 'failed');
      const usedNow = used.slice(earlier).map(({ id }) => id);
      return { held, used: usedNow, events, data, failed, ...described(judged) };
    },
    /** A person restores an earlier state of the data. */
    restore: (earlier: RecordedData) => void (data = earlier),
    accept: (id: string) => void open.add(id),
  };
}

function described({ judgement }: Judged) {
  const { releases, advisories, latest, lines } = judgement;
  return {
    latest: latest?.version,
    deprecated: releases.filter(({ isDeprecated }) => isDeprecated).map(({ version }) => version),
    /** The affected versions, by advisory. */
    affected: Object.fromEntries(
      advisories.map(({ id }) => [
        id,
        releases
          .filter((release) => release.advisories.some((one) => one.id === id))
          .map(({ version }) => version),
      ]),
    ),
    ends: Object.fromEntries(
      lines.map(({ name, phases }) => [name, findLastFreePhase(phases)?.until]),
    ),
  };
}
