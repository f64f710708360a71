import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, toDay, type Day } from '../../src/core/day.ts';
import type { Event, Hold, Recorded } from '../../src/core/schema/recorded.ts';
import type { Definition } from '../../src/core/schema/written.ts';
import { keyText } from '../../src/core/version.ts';
import { judgeOne } from '../../src/judge/judge.ts';
import { passGate } from '../../src/record/gate.ts';
import { listEvents } from '../../src/record/journal.ts';
import { merge } from '../../src/record/merge.ts';
import { renderReleaseFile } from '../../src/site/documents/release-files.ts';
import type { SourceRelease } from '../../src/sources/read-releases.ts';
import { judgeOn } from '../harness/judging.ts';
import { answerOf, type Answer } from '../harness/recorded.ts';

const start = '2026-03-01';
const sources = ['a', 'b'];

/** A random entry of a source's list. */
const listed = fc.record(
  {
    version: fc.constantFrom('1.0', '1.1', '1.01', '1.2-rc1', '2.0', '2.0.1', '3.0', '40.0'),
    daysAgo: fc.integer({ min: 0, max: 400 }),
    deprecated: fc.constantFrom('leaks', 'old'),
    changelogUrl: fc.constantFrom('https://a.example', 'https://b.example'),
    digests: fc.constantFrom('a', 'b', 'c').map((letter) => [`sha256:${letter.repeat(64)}`]),
    isPrerelease: fc.boolean(),
  },
  { requiredKeys: ['version'] },
);
/** The list of one source on one day. Undefined means that the source did not answer. */
const answer = fc.option(fc.array(listed, { minLength: 1, maxLength: 6 }), { nil: undefined });
type Lists = Parameters<typeof live>[0][number];
const year = fc.array(fc.tuple(answer, answer), { minLength: 1, maxLength: 8 });

/** A definition that allows every release of both sources. */
const usual = define(sources.map(() => undefined));

/** Returns a definition. `rules` are the `allowedVersions` of the two sources. */
function define(rules: readonly (string | undefined)[], more: object = {}): Definition {
  const named = sources.map((datasource, place) => {
    return { datasource, allowedVersions: rules[place] };
  });
  return { sources: named, prereleases: true, ...more } as unknown as Definition;
}

/**
 * Merges the answers of each day. Calls `check` with the data before and after. If `check` returns data, the next day starts from these
 * data.
 */
function live(
  days: ReturnType<typeof year.generate>['value'],
  check: (
    before: Recorded,
    after: Recorded,
    answers: readonly Answer[],
    day: Day,
    definition: Definition,
  ) => Recorded | void,
  definitions: readonly Definition[] = [],
): void {
  let recorded: Recorded = { releases: [] };
  const answeredOn = new Map<string, Day>();
  for (const [index, lists] of days.entries()) {
    const day = addDays(start, index);
    const definition = definitions[index] ?? usual;
    const answers = lists.flatMap((list, place) => {
      const source = sources[place]!;
      const releases = list?.map(({ daysAgo, ...release }) => ({
        ...release,
        releaseTimestamp: daysAgo === undefined ? undefined : addDays(day, -daysAgo),
      }));
      // Uses npm, because an npm registry gives the deprecation of every release.
      const values = {
        datasource: 'npm',
        prereleases: definition.prereleases,
        allowedVersions: definition.sources[place]!.allowedVersions,
        answeredOn: answeredOn.get(source),
      };
      return releases ? [answerOf(source, releases, values)] : [];
    });
    const after = merge({ recorded, answers, sources, day });
    const kept = check(recorded, after, answers, day, definition);
    answers.forEach(({ source }) => answeredOn.set(source, day));
    recorded = kept ?? after;
  }
}

function inAnyYear(check: Parameters<typeof live>[1]): void {
  fc.assert(fc.property(year, (days) => live(days, check)));
}

test('merging the same answers into the recorded data a second time changes nothing', () => {
  inAnyYear((_, after, answers, day) => {
    expect(merge({ recorded: after, answers, sources, day })).toEqual(after);
  });
});

test('merging keeps every recorded release, date, link and digest', () => {
  inAnyYear((before, after) => {
    const now = new Map(after.releases.map((release) => [release.version, release]));
    for (const release of before.releases) {
      const later = now.get(release.version)!;
      expect(later.changelogUrl).toBe(release.changelogUrl ?? later.changelogUrl);
      expect(later.digests ?? []).toEqual(expect.arrayContaining(release.digests ?? []));
      expect(later.sources).toEqual(expect.arrayContaining(release.sources));
      if (release.timestampKind === 'published') {
        expect(later.releaseTimestamp).toBe(release.releaseTimestamp);
      } else {
        // The date may become one day later. A run that began before midnight may see a release of the next day.
        const latest = addDays(toDay(release.releaseTimestamp!), 1);
        expect(toDay(later.releaseTimestamp!) <= latest).toBe(true);
      }
    }
  });
});

test('deprecations by one source are recorded and lifted even while another source does not answer', () => {
  inAnyYear((before, after, answers) => {
    const now = new Map(after.releases.map((release) => [release.version, release]));
    const findDeprecation = (version: string, source: string) =>
      answers
        .find((each) => each.source === source)
        ?.releases.find((release) => keyText(release.version) === keyText(version))?.deprecated;
    for (const { version, deprecated, sources: own, deprecatedBy = own[0]! } of before.releases) {
      const isDenied = findDeprecation(version, deprecatedBy) === null;
      const isDeprecated = sources.some(
        (source) => typeof findDeprecation(version, source) === 'string',
      );
      if (deprecated !== undefined && isDenied && !isDeprecated) {
        expect(now.get(version)!.deprecated, version).toBeUndefined();
      }
    }
    for (const version of now.keys()) {
      if (sources.some((source) => typeof findDeprecation(version, source) === 'string')) {
        expect(now.get(version)!.deprecated, version).toBeDefined();
      }
    }
  });
});

test('allowing prereleases only adds releases, and does not change the latest version', () => {
  const versions = fc.constantFrom('1.0', '1.1', '1.2-rc1', '2.0', '2.0-b1');
  const mark = fc.constantFrom(true, false, undefined);
  const entry = fc.record({ version: versions, isPrerelease: mark, from: fc.nat(2) });
  const list = fc.uniqueArray(entry, { selector: ({ version }) => version });
  fc.assert(
    fc.property(list, list, (...lists) => {
      const run = (prereleases: boolean) => {
        let recorded: Recorded = { releases: [] };
        for (const index of [0, 1, 2]) {
          const answers = lists.map((each, place) => {
            const listing = [{ version: '0.9' }, ...each.filter(({ from }) => from <= index)];
            return answerOf(sources[place]!, listing, { prereleases });
          });
          recorded = merge({ recorded, answers, sources, day: addDays(start, index) });
        }
        return judgeOn(addDays(start, 3), recorded.releases, { prereleases });
      };
      const [without, all] = [run(false), run(true)];
      const names = all.releases.map(({ version }) => version);

      expect(names).toEqual(expect.arrayContaining(without.releases.map(({ version }) => version)));
      expect(all.latest).toBe(without.latest);
    }),
  );
});

const change = fc.record({
  gap: fc.integer({ min: 1, max: 40 }),
  add: fc.option(fc.constantFrom('1.0', '1.0.1', '1.1', '1.2', '1.2.1', '2.0', '2.1', '0.9.9')),
  yank: fc.option(fc.nat(8), { freq: 2 }),
  drop: fc.option(fc.nat(8), { freq: 3 }),
  isDated: fc.boolean(),
});
const endings = fc.constantFrom<object>(
  { policy: 'latest-lines', count: 1 },
  { policy: 'latest-lines', count: 2 },
  { policy: 'latest-lines', count: 1, months: 2 },
  { policy: 'term', months: 3 },
);

test('a line that was published as supported never gets an end date before that publication', () => {
  fc.assert(
    fc.property(endings, fc.array(change, { minLength: 1, maxLength: 8 }), (support, changes) => {
      const known = new Set<string>();
      const list = new Map<string, SourceRelease>();
      let day = start;
      let recorded: Recorded = { releases: [] };
      let former = judgeOn(day, [], { support });
      for (const { gap, add, yank, drop, isDated } of changes) {
        const answeredOn = day;
        day = addDays(day, gap);
        if (add && !known.has(add)) {
          known.add(add);
          list.set(add, { version: add, ...(isDated && { releaseTimestamp: day }) });
        }
        const [pulled, gone] = [yank, drop].map((place) => [...list.keys()][place ?? 9]);
        const release = list.get(pulled ?? '');
        if (release) {
          list.set(release.version, { ...release, deprecated: 'Broken.' });
        }
        list.delete(gone ?? '');
        const lists = list.size > 0 ? [answerOf('a', [...list.values()], { answeredOn })] : [];
        recorded = merge({ recorded, answers: lists, sources: ['a'], day });

        const now = judgeOn(day, recorded.releases, { support });
        for (const { line, supportedUntil = '', supportedUntilAtMost = '9999' } of now.lines) {
          expect(supportedUntil <= supportedUntilAtMost, line).toBe(true);
        }
        for (const { line, end, isSupported } of former.lines) {
          const later = now.lines.find((each) => each.line === line);
          const last = later?.supportedUntilAtMost ?? later?.supportedUntil ?? day;
          const isContradiction = isSupported && later?.state === 'ended' && last < answeredOn;
          const message = `${line}: ${end} on ${answeredOn}; ${later?.end} on ${day}`;
          expect(isContradiction ?? false, message).toBe(false);
        }
        former = now;
      }
    }),
    { numRuns: 500 },
  );
});

test('a release file never has a release date in the future', () => {
  fc.assert(
    fc.property(year, (days) => {
      const lastWithout = new Map<string, Day>();
      live(days, (before, after, answers, day) => {
        const earlier = new Set(before.releases.map(({ version }) => version));
        for (const { version, sources: own } of after.releases) {
          const { answeredOn } = answers.find(({ source }) => source === own[0]) ?? {};
          if (!earlier.has(version) && answeredOn !== undefined) {
            lastWithout.set(version, answeredOn);
          }
        }

        const judged = judgeOn(day, after.releases, { prereleases: true });
        const file = JSON.parse(renderReleaseFile(judged, day)) as Recorded;
        for (const { version, releaseTimestamp = '' } of file.releases) {
          expect(toDay(releaseTimestamp) <= day, `${version} ${releaseTimestamp}`).toBe(true);
          const bound = lastWithout.get(version) ?? '';
          expect(toDay(releaseTimestamp) >= bound, `${version} ${releaseTimestamp}`).toBe(true);
        }
      });
    }),
  );
});

const policies = fc.constantFrom<Definition['support'][]>(
  undefined,
  { policy: 'latest-lines', count: 2 },
  { policy: 'term', months: 2 },
);

type Passed = ReturnType<typeof passGate>;

interface Today {
  answers: readonly Answer[];
  day: Day;
  definition: Definition;
  /** Runs the gate for the same day again, with these holds accepted. */
  accept(holds: readonly Hold[]): Passed;
}

/** Runs the gate for each day with its definition. Calls `check` with each result. Returns the number of holds on all days. */
function liveGated(
  days: Parameters<typeof live>[0],
  definitions: readonly Definition[],
  check: (passed: Passed, today: Today) => void,
): number {
  let effective: Recorded = { releases: [] };
  let held: Hold[] = [];
  let holds = 0;
  const pass: Parameters<typeof live>[1] = (_, after, answers, day, definition) => {
    const firsts = answers.filter(({ answeredOn }) => !answeredOn).map(({ source }) => source);
    const gate = {
      ...{ component: 'svc', definition, before: effective, after, held, day },
      ...{ firstAnswers: new Set(firsts), hasFirstEnds: false, journal: [] },
    };
    const accept = (accepted: readonly Hold[]) =>
      passGate({ ...gate, decisions: accepted.map((hold) => ({ ...hold, at: '', by: '' })) });
    const passed = accept([]);
    check(passed, { answers, day, definition, accept });
    ({ effective, held } = passed);
    holds += held.length;
    return passed.recorded;
  };
  live(days, pass, definitions);
  return holds;
}

test('if all holds are accepted, all recorded data takes effect', () => {
  let holds = 0;
  const lives = fc.property(year, fc.boolean(), policies, (days, isAlone, support) => {
    const lists = isAlone ? days.map(([first]): Lists => [first, undefined]) : days;
    const definitions = days.map(() => define([], { support }));
    holds += liveGated(lists, definitions, ({ recorded, effective, held }, { accept }) => {
      const former = structuredClone(recorded);
      const accepted: Hold[] = [];
      let all = accept(accepted);
      for (let round = 0; round < 3 && all.held.length > 0; round += 1) {
        accepted.push(...all.held);
        all = accept(accepted);
      }

      expect(all.effective).toEqual(former);
      expect(recorded).toEqual(former);
      const named = new Set(held.flatMap(({ versions }) => versions));
      const others = ({ releases }: Recorded) =>
        releases.filter(({ version }) => !named.has(version));
      expect(others(effective)).toEqual(others(former));
    });
  });
  fc.assert(lives, { numRuns: 100 });

  expect(holds).toBeGreaterThan(0);
});

const rule = fc.constantFrom(undefined, '<4', '<2', '!/^[23]/', '/^[34]/', '/^40/');
const edits = fc.array(
  fc.tuple(rule, rule, fc.boolean()).map(([first, second, prereleases]) => {
    return define([first, second], { prereleases });
  }),
  { minLength: 8, maxLength: 8 },
);

test('the gate never holds a version that the definition excludes', () => {
  let holds = 0;
  const lives = fc.property(year, edits, (days, definitions) => {
    holds += liveGated(days, definitions, ({ recorded, held }, { day, definition }) => {
      const { releases } = judgeOne({ name: 'svc', definition, recorded }, day);
      const waiting = held.flatMap(({ versions, taken = {} }) => [
        ...versions,
        ...Object.values(taken).flat(),
      ]);
      expect(releases.map(({ version }) => version)).toEqual(expect.arrayContaining(waiting));
    });
  });
  fc.assert(lives, { numRuns: 100 });

  expect(holds).toBeGreaterThan(0);
});

test('if upstream withdraws a held version and later lists it again, the gate treats the version as new', () => {
  let forgotten = 0;
  const lives = fc.property(year, (days) => {
    const inEffect = new Set<string>();
    /** For each held version, the number of days on which both sources answered without it. */
    const absences = new Map<string, number>();
    liveGated(days, [], ({ recorded, effective, held }, { answers, day }) => {
      const known = new Map(
        recorded.releases.map((release) => [keyText(release.version), release]),
      );
      for (const [key, before] of absences) {
        const isListed = answers.some(({ listed: keys }) => keys.has(key));
        const absent = isListed ? 0 : before + Number(answers.length === 2);
        absences.set(key, absent);
        forgotten += Number(absent === 2);
        expect(known.has(key), key).toBe(isListed || (absent < 2 && known.has(key)));
        expect(isListed && before >= 2 ? known.get(key)!.firstSeen : day, key).toBe(day);
      }

      const arrivals = held.filter(({ kind }) => kind !== 'loss');
      for (const key of arrivals.flatMap(({ versions }) => versions.map(keyText))) {
        absences.set(key, absences.get(key) ?? 0);
        expect(known.has(key), key).toBe(true);
      }
      for (const key of effective.releases.map(({ version }) => keyText(version))) {
        inEffect.add(key);
        absences.delete(key);
      }
      expect([...known.keys()]).toEqual(expect.arrayContaining([...inEffect]));
    });
  });
  fc.assert(lives, { numRuns: 100 });

  expect(forgotten).toBeGreaterThan(0);
});

test('a second update of the journal on the same day adds no events', () => {
  fc.assert(
    fc.property(year, policies, (days, support) => {
      let journal: Event[] = [];
      const definitions = days.map(() => define([], { support }));
      liveGated(days, definitions, ({ effective }, { day, definition }) => {
        const subject = { component: 'svc', definition, effective };
        const listNew = () => listEvents({ ...subject, journal }, day, `${day}T01:00:00.000Z`);
        journal = [...journal, ...listNew()];

        expect(listNew()).toEqual([]);
      });
      expect(journal.map(({ id }) => id)).toEqual(journal.map((__, index) => index + 1));
    }),
    { numRuns: 40 },
  );
});
