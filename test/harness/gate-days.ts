/**
 * Runs the gate for a component day by day. For each day, a test gives the releases that the component's sources list. The test expects the
 * gate to hold some changes, and to let others take effect.
 */
import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import {
  takingMarks,
  type Decision,
  type Event,
  type Hold,
  type Recorded,
} from '../../src/core/schema/recorded.ts';
import { listEvents } from '../../src/record/journal.ts';
import { merge } from '../../src/record/merge.ts';
import type { SourceRelease } from '../../src/sources/read-releases.ts';
import { all, define, many, pass, policies, start } from './gated.ts';
import { answerOf } from './recorded.ts';

/**
 * What the sources answer on one day. `list` has the releases that the source `a` lists. `b` has the releases that the source `b` lists, if
 * there is such a source.
 */
interface Lists {
  list: readonly SourceRelease[];
  b?: readonly SourceRelease[];
  /**
   * The ends of support by release line, as the policy's source gives them: a date, undefined for no known end, or true for a line that has
   * ended on an unknown day. Absent if this source does not answer.
   */
  ends?: Record<string, Day | true | undefined>;
  /** Versions that an advisory reports as malware, for example `<2.0`. */
  malware?: string;
  /** If this is set, the registry calls all releases deprecated. If it is true, the registry has also quarantined the package. */
  isLocked?: boolean;
  /**
   * Whether a person has changed the component's sources since the day before. If so, the gate treats each answer of this day as the first
   * answer of its source.
   */
  isEdited?: boolean;
}
type Today = readonly SourceRelease[] | Lists;
type Policy = keyof typeof policies;

interface World {
  day: Day;
  recorded: Recorded;
  effective: Recorded;
  held: Hold[];
  journal: Event[];
  /** The day on which the source of the ends last answered. */
  endsOn?: Day | undefined;
}

export const nothing: World = {
  day: addDays(start, -1),
  recorded: { releases: [] },
  effective: { releases: [] },
  held: [],
  journal: [],
};

/** Runs the gate for the day after `before`. `today` is what the sources answer on this day. Returns the new state. */
export function live(
  policy: Policy,
  before: World,
  today: Today,
  decisions: Decision[] = [],
): World {
  const { list, b, ends, malware, isLocked, isEdited }: Lists =
    'list' in today ? today : { list: today };
  const day = addDays(before.day, 1);
  const isFirst = before === nothing || isEdited === true;
  const values = {
    answeredOn: isFirst ? undefined : before.day,
    ...(isLocked !== undefined && { deprecated: 'malware', isQuarantined: isLocked }),
  };
  const advisories = malware && [{ id: 'GHSA-1', aliases: ['MAL-2026-1'], affected: malware }];
  const stated = { ...(ends && { lines: readEnds(ends) }), ...(advisories && { advisories }) };
  const answers = [
    { ...answerOf('a', list, values), ...stated },
    ...(b ? [answerOf('b', b, values)] : []),
  ];
  const sources = ['a', 'b'];
  const passed = pass(
    policies[policy],
    before.effective,
    merge({ recorded: before.recorded, answers, sources, day }),
    {
      firstAnswers: new Set(isFirst ? sources : []),
      hasFirstEnds: ends !== undefined && isFirst,
      formerEnds:
        ends && before.endsOn !== undefined && !isFirst
          ? { answeredOn: before.endsOn, lines: before.recorded.lines }
          : undefined,
      journal: before.journal,
      held: before.held,
      decisions,
      day,
    },
  );
  const subject = { component: 'svc', definition: define(policies[policy]), ...before, ...passed };
  const news = listEvents(subject, day, `${day}T12:00:00Z`);
  const journal = [...before.journal, ...news];
  const world = { ...passed, day, journal, endsOn: ends ? day : before.endsOn };
  expectInvariants(before, world);
  return world;
}

function readEnds(ends: Record<string, Day | true | undefined>) {
  return Object.entries(ends).map(([line, end]) => ({
    line,
    phases: [{ name: 'support', ...(end === true ? { isOver: true as const } : { until: end }) }],
  }));
}

const listNames = ({ releases }: Recorded) => releases.map(({ version }) => version);

/** Checks rules that hold on every day of every test. */
function expectInvariants(before: World, { day, recorded, effective, held }: World): void {
  const inEffect = new Set(listNames(effective));
  const lost = listNames(before.effective).filter((version) => !inEffect.has(version));
  expect(lost, 'a release that took effect stays').toEqual([]);
  const arrivals = held.filter(({ kind }) => kind !== 'loss').flatMap(({ versions }) => versions);
  const others = listNames(recorded).filter((version) => !inEffect.has(version));
  expect(others.sort(), 'only held arrivals are recorded without effect').toEqual(arrivals.sort());

  for (const { kind, id, since, command, versions, taken = {}, lines = [] } of held) {
    const named = new Set(versions);
    const former = before.held.find(
      (hold) => hold.kind === kind && hold.versions.some((version) => named.has(version)),
    );
    expect([id, since], 'a hold keeps its id and its first day').toEqual(
      former ? [former.id, former.since] : [expect.stringMatching(/^svc-[a-f0-9]{10}$/), day],
    );
    expect(command).toBe(`npx release-index accept ${id}`);
    for (const mark of takingMarks) {
      const waiting = new Set(taken[mark]);
      const marked = effective.releases.filter((each) => waiting.has(each.version) && each[mark]);
      expect(marked, 'a held removal has no effect').toEqual([]);
      expect([...waiting].filter((version) => !named.has(version))).toEqual([]);
    }
    expect(effective.lines ?? [], 'a held end has no effect').toEqual(
      expect.arrayContaining(lines),
    );
  }
}

/** Lets a person accept all holds. Checks that the held versions then take effect as recorded, and that none is held again. */
function expectAccepted(policy: Policy, world: World, today: Today): void {
  const at = `${world.day}T12:00:00Z`;
  const decisions = world.held.map(({ id, component, kind, versions }) => {
    return { id, at, by: 'Jane', component, kind, versions };
  });
  const accepted = new Set(decisions.flatMap(({ versions }) => versions));
  const pick = ({ releases }: Recorded) => releases.filter(({ version }) => accepted.has(version));
  const same = { ...('list' in today ? today : { list: today }), isEdited: false };
  const next = live(policy, world, same, decisions);
  for (const { recorded, effective, held } of [next, live(policy, next, same)]) {
    const heldAgain = held.flatMap(({ versions }) => versions.filter((each) => accepted.has(each)));
    expect(heldAgain, 'an accepted version is not held again').toEqual([]);
    expect(pick(effective), 'an accepted change takes effect').toEqual(pick(recorded));
  }
}

const words = {
  deprecated: 'yanked',
  withdrawnSince: 'withdrawn',
  isPrerelease: 'demoted',
  malware: 'malware',
  isStop: 'stop',
};

/**
 * Describes a day in one line:
 * - the reasons of all holds
 * - the versions that were yanked, withdrawn, demoted to prereleases, reported as malware, or marked as required stops
 * - the versions that are no longer marked as required stops
 * - the new versions, and the new end-of-support dates
 */
function describeDay(before: World, { effective, held }: World): string {
  const former = new Map(before.effective.releases.map((release) => [release.version, release]));
  const describe = (word: string, versions: string[]) =>
    versions.length > 0
      ? `${word} ${versions.length > 3 ? versions.length : versions.join(' ')}`
      : [];
  const marked = Object.entries(words).flatMap(([key, word]) => {
    const mark = key as keyof typeof words;
    const releases = effective.releases.filter(
      (each) => each[mark] && former.has(each.version) && !former.get(each.version)![mark],
    );
    return describe(word, listNames({ releases }));
  });
  const unmarked = effective.releases.filter(
    ({ version, isStop }) => former.get(version)?.isStop && !isStop,
  );
  const ends = ({ lines = [] }: Recorded) =>
    lines.map(({ line, phases: [phase] }) =>
      phase!.isOver ? `${line} over` : `${line} until ${phase!.until}`,
    );
  return [
    ...held.map(({ reason }) => reason),
    ...marked,
    describe('no stop', listNames({ releases: unmarked })),
    describe(
      'new',
      listNames(effective).filter((version) => !former.has(version)),
    ),
    ends(effective).filter(
      (end) => before.effective.lines && !ends(before.effective).includes(end),
    ),
  ]
    .flat()
    .join(', ');
}

export const omit = (list: readonly SourceRelease[], form: RegExp) =>
  list.filter(({ version }) => !form.test(version));
export const yank = (list: readonly SourceRelease[], form: RegExp) =>
  list.map((each) => (form.test(each.version) ? { ...each, deprecated: 'Broken.' } : each));
export const mark = (list: readonly SourceRelease[], form: RegExp) =>
  list.map((each) => (form.test(each.version) ? { ...each, isStop: true } : each));
export const also = (...versions: string[]) => [
  ...all,
  ...versions.map((version) => ({ version })),
];
export const junk = (count: number, line = '1.0.0') => many(count, (index) => `${line}.${index}`);
export const lost = (count: number, inUse = 15) =>
  `${count} of ${inUse} releases in use would be lost`;
export const cut = (count: number, recorded: number) =>
  `a no longer lists ${count} of ${recorded} recorded releases`;
export const far = (version: string) => `${version} is far above the recorded versions`;
export const small = all.slice(0, 35);

/**
 * A row of a test table:
 * - `policies`: the names of support policies, separated by spaces. Each policy is a test of its own.
 * - `days`: what the sources answer on each day, from the first day on
 * - `learned`: the expected description of each day, from the second day on
 */
export type Row = [title: string, policies: string, days: Today[], ...learned: string[]];

/** Declares one test for each pair of a row and a policy in that row. At the end of each test, a person accepts all holds. */
export function testDays(rows: readonly Row[]): void {
  const cases = rows.flatMap(([title, by, ...row]) =>
    by.split(' ').map((policy) => [title, policy as Policy, ...row] as const),
  );
  test.for(cases)('%s (%s)', ([, policy, days, ...expected]) => {
    let world = live(policy, nothing, days[0]!);
    expect(world.held).toEqual([]);

    const learned = days.slice(1).map((today) => {
      const before = world;
      world = live(policy, before, today);
      return describeDay(before, world);
    });

    expect(learned).toEqual(expected);
    expectAccepted(policy, world, days.at(-1)!);
  });
}
