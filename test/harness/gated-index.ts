import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../src/core/model/dates.ts';
import type { Advisory } from '../../src/core/schemas/recorded/advisory.ts';
import type { Freshness } from '../../src/core/schemas/recorded/freshness.ts';
import type { Decision, HeldChange } from '../../src/core/schemas/recorded/held.ts';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import type { RecordedData, StatedLine } from '../../src/core/schemas/recorded/recorded.ts';
import { lastFreePhase } from '../../src/core/model/phases.ts';
import type { ComponentChange } from '../../src/record/gate/rules/component-change.ts';
import { judgeChange } from '../../src/record/gate/rules/judge-change.ts';
import type { Judged } from '../../src/decide/judge-recorded.ts';
import { describeChange, numberEvents } from '../../src/record/journal/events/describe-change.ts';
import { foldJournal } from '../../src/decide/fold-journal.ts';
import { judgeRecorded } from '../../src/decide/judge-recorded.ts';
import { waitingVersions } from '../../src/io/files/held-file.ts';
import { lastAcceptedOn, openDecisions } from '../../src/record/gate/decisions.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import { uniteAnswers, type GatherResult } from '../../src/record/gather/gather-component.ts';
import { isWhole } from '../../src/record/gather/recorded-release.ts';
import type { UsedDecision } from '../../src/record/gate/last-good.ts';
import type { StatedRelease } from '../../src/record/sources/datasource.ts';
import { answer, outcomeOf } from './merging.ts';
import { definition } from './root.ts';

/** What upstreams state on a day; a source that is absent does not answer. */
export interface Statement {
  releases?: readonly (string | StatedRelease)[];
  lines?: readonly StatedLine[];
  advisories?: Readonly<Record<string, Advisory | undefined>>;
  /** The definition as people have edited it. */
  definition?: Readonly<Record<string, unknown>>;
  /** What a merge puts in place of what was gathered. */
  data?: (gathered: RecordedData) => RecordedData;
}

export type GatedDay = ReturnType<ReturnType<typeof openGatedIndex>['run']>;

export const releasesId = 'npm:x';
const linesId = 'support endoflife-date:x';
const advisoriesId = 'osv:https://example.com/osv';

/** One component of an index over many days, in memory: gathered, gated and recorded as a run does it. */
export function openGatedIndex(about: Readonly<Record<string, unknown>> = {}) {
  const sources = [
    { datasource: 'npm', packageName: 'x' },
    { datasource: 'osv', url: 'https://example.com/osv' },
  ];
  const read = (more: object) => FullDefinition.parse(definition({ sources, ...about, ...more }));
  let counted = read({});
  let data: RecordedData = { releases: [] };
  let freshness: Freshness = { sources: {} };
  let edited = counted;
  let held: readonly HeldChange[] = [];
  let journal: JournalEvent[] = [];
  const decisions: Decision[] = [];
  const used: UsedDecision[] = [];
  const file = 'components/svc.json';
  const edit = { id: `${file}@0123456789`, cause: file };

  function gather(day: Day, { releases, lines, advisories }: Statement) {
    const outcomes = [
      releases ? outcomeOf(answer(releasesId, releases, { day })) : [],
      lines ? { ...outcomeOf(answer(linesId, [])), ofLines: { lines: [...lines] } } : [],
      advisories
        ? { ...outcomeOf(answer(advisoriesId, [])), advised: new Map(Object.entries(advisories)) }
        : [],
    ].flat();
    const waiting = waitingVersions(held, 'svc');
    const input = { component: 'svc', definition: edited, ...data, freshness, waiting };
    return uniteAnswers(input, { outcomes, findings: [] }, day);
  }

  /** Edits wait with the component, but sources are asked by the edited definition. */
  function changeOn(
    day: Day,
    after: RecordedData,
    { freshness: fresh, rejectedDays }: GatherResult,
  ): ComponentChange {
    const waiting = held.flatMap(({ versions = [] }) => versions);
    const sources = Object.entries(freshness.sources);
    return {
      name: 'svc',
      day,
      journal,
      before: { definition: counted, data },
      after: { definition: edited, data: after },
      commit: '0'.repeat(40),
      edits: isDeepStrictEqual(counted, edited) ? [] : [{ ...edit, without: counted }],
      freshness: { before: freshness, after: fresh },
      incomplete: new Set(
        sources.flatMap(([id, state]) => (isWhole(data.releases, id, state, waiting) ? [] : id)),
      ),
      silent: new Set(
        [releasesId, linesId, advisoriesId].filter((id) => fresh.sources[id]?.answeredOn !== day),
      ),
      earlier: held,
      accepted: openDecisions(decisions, used),
      acceptedOn: lastAcceptedOn(used, 'svc'),
      rejectedDays,
    };
  }

  return {
    run(day: Day, statement: Statement) {
      edited = statement.definition ? read(statement.definition) : read({});
      const gathered = gather(day, statement);
      const { releases, lines, advisories } = gathered;
      const own = { releases, ...(lines && { lines }), ...(advisories && { advisories }) };
      const change = changeOn(day, statement.data?.(own) ?? own, gathered);
      const verdict = judgeChange(change);
      held = verdict.held;
      data = verdict.data;
      ({ freshness } = gathered);
      if (!held.some(({ kind }) => kind === 'component')) {
        counted = edited;
      }
      used.push(...verdict.used.map((id) => ({ id, on: day })));
      const at = `${day}T05:00:00.000Z`;
      const judged = judgeRecorded('svc', counted, data, day);
      const events = numberEvents(
        journal,
        describeChange(foldJournal(journal), judged, day),
        at,
        judged,
      );
      journal = [...journal, ...events];
      const failed = gathered.sources.filter(({ kind }) => kind === 'failed');
      return { held, events, data, failed, ...described(judged) };
    },
    /** A person restores an earlier state of the data. */
    restore: (earlier: RecordedData) => void (data = earlier),
    accept: (id: string) => void decisions.push({ id, at: '2026-01-01T00:00:00.000Z', by: 'jane' }),
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
    ends: Object.fromEntries(lines.map(({ name, phases }) => [name, lastFreePhase(phases)?.until])),
  };
}
