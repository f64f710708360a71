import type { Day } from '../../src/core/dates.ts';
import type { Advisory } from '../../src/core/schemas/advisory.ts';
import type { Freshness } from '../../src/core/schemas/freshness.ts';
import type { Decision, Held } from '../../src/core/schemas/held.ts';
import type { JournalEvent } from '../../src/core/schemas/journal.ts';
import type { RecordedData, StatedLine } from '../../src/core/schemas/recorded.ts';
import { lastFreePhase } from '../../src/core/phases.ts';
import { applyGate, type Edit } from '../../src/decide/gate/gate.ts';
import { waitingVersions } from '../../src/decide/gate/holds.ts';
import { differences, numberEvents, type Judged } from '../../src/decide/journal/differences.ts';
import { foldJournal } from '../../src/decide/journal/fold-journal.ts';
import { judgeRecorded } from '../../src/decide/judge-recorded.ts';
import { sha256 } from '../../src/io/files/sha256.ts';
import { Definition } from '../../src/record/definition.ts';
import { uniteAnswers } from '../../src/record/gather/gather-component.ts';
import { isWhole } from '../../src/record/gather/recorded-release.ts';
import type { StatedRelease } from '../../src/record/sources/source.ts';
import { answer, outcomeOf } from './merging.ts';
import { definition } from './root.ts';

/** What upstreams state on a day; a source that is absent does not answer. */
export interface Statement {
  releases?: readonly (string | StatedRelease)[];
  lines?: readonly StatedLine[];
  advisories?: Readonly<Record<string, Advisory | undefined>>;
  /** The definition as people have edited it. */
  definition?: Readonly<Record<string, unknown>>;
  /** What another job hands over in place of what was gathered. */
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
  const read = (more: object) => Definition.parse(definition({ sources, ...about, ...more }));
  let counted = read({});
  let data: RecordedData = { releases: [] };
  let freshness: Freshness = { sources: {} };
  let held: readonly Held[] = [];
  let journal: JournalEvent[] = [];
  const decisions: Decision[] = [];

  function gather(day: Day, { releases, lines, advisories }: Statement) {
    const outcomes = [
      releases ? outcomeOf(answer(releasesId, releases, { day })) : [],
      lines ? { ...outcomeOf(answer(linesId, [])), ofLines: { lines: [...lines] } } : [],
      advisories
        ? { ...outcomeOf(answer(advisoriesId, [])), advised: new Map(Object.entries(advisories)) }
        : [],
    ].flat();
    const waiting = waitingVersions(held, 'svc');
    const input = { component: 'svc', definition: counted, ...data, freshness, waiting };
    return uniteAnswers(input, { outcomes, findings: [] }, day);
  }

  return {
    run(day: Day, statement: Statement) {
      const edited = statement.definition ? read(statement.definition) : counted;
      const gathered = gather(day, statement);
      const { releases, lines, advisories } = gathered;
      const own = { releases, ...(lines && { lines }), ...(advisories && { advisories }) };
      const after = statement.data?.(own) ?? own;
      const edit = (): Edit => ({
        id: 'components/svc.json@0123456789',
        cause: 'components/svc.json',
        instead: { commit: '0'.repeat(40), digest: '0'.repeat(64) },
        definitions: new Map([['svc', { before: counted, after: edited }]]),
      });
      const definitionOf = (_: string, isHeld: (edit: string) => boolean) =>
        isHeld('components/svc.json') ? counted : edited;
      const gated = applyGate({
        day,
        components: [
          {
            ...{ name: 'svc', journal, before: data, after },
            freshness: { before: freshness, after: gathered.freshness },
            isWhole(source) {
              const kept = held.flatMap(({ versions = [] }) => versions);
              return isWhole(data.releases, source, freshness.sources[source], kept);
            },
          },
        ],
        edits: edited === counted ? [] : [edit],
        definitionOf,
        held,
        decisions,
        digest: (text) => sha256(text).slice(0, 10),
      });
      held = gated.held;
      data = gated.data.get('svc') ?? after;
      ({ freshness } = gathered);
      counted = definitionOf('svc', (one) =>
        held.some(({ cause, instead }) => instead && cause === one),
      );
      const at = `${day}T05:00:00.000Z`;
      for (const { id, components } of gated.taken) {
        decisions.push({ id, at, components });
      }
      const judged = judgeRecorded('svc', counted, data, day);
      const events = numberEvents(
        journal,
        differences(foldJournal(journal), judged, day),
        at,
        judged,
      );
      journal = [...journal, ...events];
      return { held, events, data, ...described(judged) };
    },
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
