import { describe, expect, test } from 'vitest';
import { readEntriesFrom } from '../../src/ask/history/run-publications.ts';
import type { RecordedYears } from '../../src/ask/history/recorded-years.ts';
import { addDays, type Day } from '../../src/core/model/dates.ts';
import type { Definition } from '../../src/core/schemas/definition/definition.ts';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import type { Component } from '../../src/decide/component.ts';
import { foldJournal } from '../../src/decide/fold-journal.ts';
import { listChangeEntries } from '../../src/record/journal/events/change-entries.ts';
import { toPublishedEvents } from '../../src/decide/event-words.ts';
import { computeDetailsOn } from '../../src/ask/answers/component-on.ts';
import { hasEnded } from '../../src/core/model/phases.ts';
import { describeDetails } from '../../src/decide/details.ts';
import { compareChanges } from '../../src/site/render/documents/change-log.ts';
import { merge } from '../harness/merging.ts';
import { drawing, LivingUpstream, type Draw } from '../harness/upstream-life.ts';
import { componentOf, recordedBy } from '../site/render/sites.ts';

const start: Day = '2025-11-10';
const days = 400;
const seeds = [1, 2];

const policies: readonly Partial<Definition>[] = [
  {},
  { support: { policy: 'term', months: 3 } },
  { support: { policy: 'term', months: 5 } },
  { support: { policy: 'term', months: 2, line: 1 } },
  { support: { policy: 'latest-lines', count: 2 } },
  { support: { policy: 'latest-lines', count: 1 } },
  {
    support: {
      policy: 'dated',
      lines: {
        '1.2': addDays(start, 100),
        '1.9': addDays(start, 240),
        '1.20': addDays(start, 500),
      },
    },
  },
  { support: { policy: 'ended', until: addDays(start, 200) } },
  { support: { policy: 'ended', deprecatedFrom: addDays(start, 150), until: addDays(start, 300) } },
  { support: { policy: 'ended' } },
];

const inMonths = [
  { name: 'active', months: 1 },
  { name: 'security', months: 3 },
  { name: 'extended', months: 6, paid: true },
] as const;
const byNumber = [
  { name: 'active', count: 1 },
  { name: 'security', count: 3 },
] as const;

const phased: readonly Partial<Definition>[] = [
  { support: { policy: 'term', phases: [...inMonths] } },
  { support: { policy: 'term', phases: inMonths.slice(0, 2) } },
  {
    support: {
      policy: 'term',
      months: 2,
      lts: { lines: String.raw`/[02468]$/`, phases: [...inMonths] },
    },
  },
  {
    support: {
      policy: 'latest-lines',
      phases: [...byNumber],
      lts: { lines: ['1.2'], phases: [...byNumber] },
    },
  },
  {
    support: {
      policy: 'dated',
      lines: {
        '1.2': {
          active: addDays(start, 90),
          security: addDays(start, 150),
          extended: addDays(start, 300),
        },
        '1.9': addDays(start, 240),
        '1.20': { active: addDays(start, 270), security: addDays(start, 500) },
      },
      paid: ['extended'],
    },
  },
];

const advisory = (id: string) => ({ id, affected: '<1.5', fixed: ['1.5.0'] });

/** Edits of the definition in the course of time. */
function editedDefinition(draw: Draw, name: string): Partial<Definition> {
  const scopes = [undefined, undefined, '!/\\.[13579]$/', '/^1\\.[02468]\\./', '/^9/'];
  const allowedVersions = scopes[draw(scopes.length)];
  const lists: readonly NonNullable<Definition['deprecated']>[] = [
    [],
    [{ versions: ['1.1.0', '1.2.3'], reason: 'Malicious' }],
    [
      { versions: '<1.3', reason: 'Too old', since: addDays(start, 210) },
      { versions: ['1.4.4'], reason: 'Broken' },
    ],
  ];
  return {
    ...(name === 'svc'
      ? policies[draw(policies.length)]
      : [...policies, ...phased, ...phased][draw(policies.length + 2 * phased.length)]),
    deprecated: lists[draw(lists.length)]!,
    prereleases: draw(3) > 0,
    advisories: [advisory('CVE-2026-1'), advisory('x_2')].filter(() => draw(2) === 0),
    ...(draw(3) === 0 && { replacedBy: draw(2) === 0 ? 'edge' : 'node' }),
    ...(draw(4) === 0 && { ignoreUpstreamDeprecation: true }),
    ...(name === 'server' && { renamedFrom: ['svc'] }),
    sources: ['x', 'y'].map((packageName) => ({
      datasource: 'npm' as const,
      packageName,
      ...(allowedVersions !== undefined && { allowedVersions }),
    })),
  };
}

interface Run {
  readonly at: string;
  readonly component: Component;
  readonly journal: readonly JournalEvent[];
}

/** 400 days with edits, days without a run, two runs on a day, a rename, and an upstream that takes back what it said. */
function runsOf(seed: number): Run[] {
  const draw = drawing(seed);
  const upstream = new LivingUpstream(drawing(seed + 100));
  let recorded: readonly RecordedRelease[] = [];
  let missing = {};
  let journal: readonly JournalEvent[] = [];
  let about = editedDefinition(draw, 'svc');
  const runs: Run[] = [];
  for (let index = 0; index < days; index += 1) {
    const day = addDays(start, index);
    const name = index < 250 ? 'svc' : 'server';
    if (index === 250 || draw(25) === 0) {
      about = editedDefinition(draw, name);
    }
    const answers = upstream.live(day);
    const times = draw(9) === 0 ? 0 : 1 + Number(draw(7) === 0);
    for (let time = 0; time < times; time += 1) {
      const sources = ['npm:x', 'npm:y'];
      const merged = merge(recorded, answers, { day, sources, missing });
      ({ releases: recorded, missing } = merged);
      if (time === 1) {
        about = editedDefinition(draw, name);
      }
      const at = `${day}T0${time * 5 + 2}:17:${String(10 + draw(50))}.${String(100 + draw(900))}Z`;
      const component = componentOf(recorded, about, { name, day });
      journal = recordedBy(component, journal, at);
      runs.push({ at, component, journal });
    }
  }
  return runs;
}

/** The state in `details/`. */
function stateInDetails(component: Component): unknown {
  const { day } = component.judgement;
  const details = computeDetailsOn(describeDetails(component), day);
  return {
    advisories: (details.advisories ?? []).map(({ id }) => id),
    versions: details.releases.map(({ version, because }) => [version, because[0]?.rule ?? '']),
    ends: details.lines.flatMap(({ line, phases = [] }) =>
      phases.flatMap((phase) => {
        const { name, until = '', untilAtMost = '', paid } = phase;
        const isEnded = hasEnded(phase, day) === true;
        if (until + untilAtMost === '' && !isEnded) {
          return [];
        }
        const label = `${name}${paid && phases.length > 1 ? ' (paid)' : ''}`;
        return [[line, name, until, untilAtMost, isEnded, phases.length > 1 ? label : '']];
      }),
    ),
  };
}

function stateInJournal(journal: readonly JournalEvent[], component: Component): unknown {
  const { versions, ends, advisories } = foldJournal(journal);
  const order = component.judgement.releases.map(({ version }) => version);
  const listed = [...versions].filter(([, { isListed }]) => isListed);
  return {
    advisories: [...advisories.keys()].toSorted(),
    versions: listed
      .map(([version, { verdict }]) => [version, verdict?.rule ?? ''] as const)
      .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
      .map((pair) => [...pair]),
    ends: component.judgement.lines.flatMap(({ name: line, phases }) =>
      phases.flatMap(({ name }) => {
        const end = ends.get(`${line}/${name}`);
        if (!end) {
          return [];
        }
        const { until = '', untilAtMost = '', isEnded, phases: names = [] } = end;
        if (until + untilAtMost === '' && !isEnded) {
          return [];
        }
        const label = names.find((each) => each.split(' ')[0] === name) ?? '';
        return [[line, name, until, untilAtMost, isEnded, label]];
      }),
    ),
  };
}

describe.each(seeds)('400 days of a component (%i)', (seed) => {
  const runs = runsOf(seed);
  const last = runs.at(-1)!;

  test('400 simulated days hold enough events to judge by', () => {
    const types = new Set(last.journal.map(({ type }) => type));

    expect(runs.length).toBeGreaterThan(350);
    expect(types.size).toBeGreaterThan(10);
    expect(last.journal.filter(({ phases }) => phases).length).toBeGreaterThan(10);
    expect(last.journal.length).toBeGreaterThan(300);
  });

  test('no later day changes a published event', () => {
    const all = toPublishedEvents(last.journal);
    for (const { journal } of runs.filter((_, index) => index % 47 === 0)) {
      const published = toPublishedEvents(journal);
      expect(published).toEqual(all.slice(0, published.length));
    }
    expect(all.toReversed()).toEqual(all.toSorted(compareChanges));
  });

  test('the journal folds to the published details after each run, and a second run adds nothing', () => {
    for (const { component, journal, at } of runs) {
      expect(stateInJournal(journal, component), at).toEqual(stateInDetails(component));
    }
    expect(recordedBy(last.component, last.journal)).toEqual(last.journal);
  });

  test('a polling client reads each event exactly once', async () => {
    const draw = drawing(seed + 500);
    const all = toPublishedEvents(last.journal);
    const found: string[] = [];
    let visited = Date.parse(start) - 1000;
    for (
      let now = visited;
      now < Date.parse(addDays(start, days + 9));
      now += 1 + draw(9 * 86_400_000)
    ) {
      const published = all.filter(({ at }) => Date.parse(at) <= now);
      const entries = await readEntriesFrom(yearsOf(published), new Map(), visited + 1, now);
      for (const { id } of entries) {
        found.push(id);
      }
      visited = now;
    }

    expect(found).toEqual(all.map(({ id }) => id));
  });

  test('lists of changes name every changed verdict once', () => {
    const told = listChangeEntries(toPublishedEvents(last.journal));
    const isVerdict = ({ type }: { type: string }) => type === 'deprecated' || type === 'restored';
    const events = toPublishedEvents(last.journal).filter(
      (event) => isVerdict(event) && !event.initial,
    );
    const subjects = told
      .filter(isVerdict)
      .flatMap(({ at, type, version, line, subjects: all = [version ?? line!] }) =>
        all.map((subject) => `${at} ${type} ${subject}`),
      );
    // The withdrawal or return of a release implies its verdict.
    const causes = new Set(
      told.flatMap(({ at, type }) => (type === 'withdrawn' || type === 'relisted' ? [at] : [])),
    );
    const untold = events.filter(
      ({ at, type, version, line }) => !subjects.includes(`${at} ${type} ${version ?? line}`),
    );

    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(subjects.length + untold.length).toBe(events.length);
    expect(untold.filter(({ at, rule }) => rule !== 'withdrawn' || !causes.has(at))).toEqual([]);
  });
});

function yearsOf<Entry extends { at: string }>(changes: readonly Entry[]): RecordedYears<Entry> {
  const byYear = Map.groupBy(changes, ({ at }) => at.slice(0, 4));
  return {
    years: () => Promise.resolve([...byYear.keys()].sort().reverse()),
    read: (year: string) => Promise.resolve(byYear.get(year)!.toReversed()),
  };
}
