/**
 * Property tests: what must hold for every component on every date, checked with random releases
 * and lines.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listOwners } from '../../src/ask/owners.ts';
import { readList } from '../../src/ask/read-list.ts';
import { findItems } from '../../src/ask/verdicts.ts';
import { addDays } from '../../src/core/day.ts';
import { markEstimated } from '../../src/core/phrases.ts';
import { compareToBound } from '../../src/core/range.ts';
import type { Phase } from '../../src/core/schema/published.ts';
import { compareVersions, keyText, readVersion, keyLine } from '../../src/core/version.ts';
import { createPatternWriter } from '../../src/site/renovate/note-versions.ts';
import { listNotes } from '../../src/site/renovate/notes.ts';
import { usualSettings } from '../harness/index-folder.ts';
import { describeReleases, judgeOn, release, statedPolicy } from '../harness/judging.ts';

const today = '2025-11-29';
const day = fc.integer({ min: 0, max: 1100 }).map((days) => addDays('2024-02-28', days));
const versions =
  '1 1.0 1.0.0 1.1 1.1.1k 1.1.1 1.1.1.2 1.2.0.post1 1.2.0 1.10.0 2 2.0 2.0.0-rc1 2.0.0 2.12.4 02.12.05 2.3.1 ' +
  '10.0 22.04.1 2025.1 v2025.1.1 2025.01.2';
const aRelease = fc
  .record(
    {
      version: fc.constantFrom(...versions.split(' ')),
      on: day,
      deprecated: fc.constantFrom('old', 'leaks'),
      withdrawnSince: day,
      isPrerelease: fc.boolean(),
    },
    { requiredKeys: ['version', 'on'] },
  )
  .map(({ version, on, ...more }) => release(version, on, { firstSeen: on, ...more }));
const releases = fc.uniqueArray(aRelease, {
  maxLength: 9,
  selector: ({ version }) => keyText(version),
});

const phase = fc.oneof(
  fc.record({ until: day }),
  fc.record({ untilAtMost: day }),
  fc.constantFrom({ isOver: true }, {}),
);
const phases = fc
  .tuple(phase, fc.option(phase), fc.boolean())
  .map(([first, second, paid]): Phase[] => {
    const later = { name: 'extended', ...second, ...(paid && { paid }) } as Phase;
    return [{ name: 'support', ...first } as Phase, ...(second ? [later] : [])];
  });
const names = '1 1.0 1.1 1.1.1 1.1.1.2 1.2 2 2.0 2.12 2.3 3 10 22.04 2025 2025.01'.split(' ');
/** Release lines as a source lists them. If a source lists a line, but its dates could not be read, `phases` is empty. */
const statedLines = fc.uniqueArray(
  fc.record({
    line: fc.constantFrom(...names),
    phases: fc.oneof({ weight: 5, arbitrary: phases }, fc.constant([])),
  }),
  { maxLength: 6, selector: ({ line }) => line },
);

test('a line is supported only if its source lists readable support dates', () => {
  fc.assert(
    fc.property(day, releases, statedLines, (on, listed, lines) => {
      const component = judgeOn(on, listed, { support: statedPolicy }, { lines });
      const read = new Set(
        lines.filter(({ phases: own }) => own.length > 0).map(({ line }) => keyLine(line)),
      );
      for (const { line, isSupported, state } of component.lines) {
        expect(isSupported === true && !read.has(keyLine(line)), line).toBe(false);
        const isUnread =
          lines.some((each) => keyLine(each.line) === keyLine(line)) && !read.has(keyLine(line));
        expect(isUnread ? state : 'no-promise', line).toBe('no-promise');
      }
    }),
    { numRuns: 500 },
  );
});

const policies = fc.constantFrom<object>(
  statedPolicy,
  { policy: 'term', months: 12 },
  { policy: 'term', months: 12, line: 1 },
  { policy: 'term', months: 12, line: 'semver' },
  { policy: 'latest-lines', count: 2 },
  { policy: 'ended', until: '2026-01-01' },
);

const aLateRelease = fc
  .tuple(aRelease, day, fc.option(fc.integer({ min: 8, max: 900 })), fc.integer({ max: 9, min: 0 }))
  .map(([each, notBefore, daysBefore, daysAfter]) =>
    daysBefore === null
      ? each
      : {
          ...each,
          releaseTimestamp: addDays(notBefore, daysAfter),
          timestampKind: 'observed' as const,
          notBefore,
          ignoredDay: addDays(notBefore, -daysBefore),
        },
  );
const lateReleases = fc.uniqueArray(aLateRelease, {
  maxLength: 9,
  selector: ({ version }) => keyText(version),
});
const ending = fc.constantFrom(
  { policy: 'term', months: 12 },
  { policy: 'term', months: 1 },
  { policy: 'latest-lines', count: 1 },
  { policy: 'latest-lines', count: 2, months: 3 },
);

test('an ignored release date never ends the support of a line', () => {
  let moved = 0;
  fc.assert(
    fc.property(day, lateReleases, ending, (on, listed, support) => {
      const judge = (isKept: (version: string) => boolean) => {
        const kept = listed.map(({ ignoredDay, ...each }) =>
          isKept(each.version) ? { ...each, ignoredDay } : each,
        );
        const { lines, releases: judged } = judgeOn(on, kept, { support, prereleases: true });
        const ends = lines.map(({ line, supportedUntil, supportedUntilAtMost }) => {
          return { line, supportedUntil, supportedUntilAtMost };
        });
        return {
          lines,
          ends,
          latest: lines.map(({ line, state, phases: [phase] }) => {
            return [line, state === 'ended', phase?.untilAtMost ?? phase?.until, phase?.isOver];
          }),
          deprecated: judged.map(({ version, isDeprecated }) => [version, isDeprecated]),
        };
      };
      const late = judge(() => true);
      const without = judge(() => false);
      expect(late.latest).toEqual(without.latest);
      expect(late.deprecated).toEqual(without.deprecated);

      const { releases: all } = judgeOn(on, listed, { support, prereleases: true });
      const stable = all.filter(({ isPrerelease }) => !isPrerelease);
      const firsts = new Set(
        stable.flatMap(({ version, line }, index) =>
          stable.findIndex((each) => each.line === line) === index ? version : [],
        ),
      );
      expect(judge((version) => firsts.has(version)).lines).toEqual(late.lines);
      moved += Number(JSON.stringify(late.ends) !== JSON.stringify(without.ends));
    }),
    { numRuns: 500 },
  );
  expect(moved).toBeGreaterThan(50);
});

const labels = new Map([
  ['ended', 'unsupported'],
  ['ends-soon', 'support-ends'],
  ['may-have-ended', 'support-ends'],
]);

test('the Renovate notes on each listed version agree with the verdict on that version', () => {
  fc.assert(
    fc.property(releases, statedLines, policies, (listed, lines, support) => {
      const svc = judgeOn(today, listed, { support }, { lines });
      const index = { asOf: today, components: [svc], settings: usualSettings } as never;
      const writePatterns = createPatternWriter(svc);
      const notes = listNotes(svc, index, '2000-01-01').map((note) => ({
        ...note,
        ...writePatterns(note),
      }));
      for (const { version, line: name } of svc.releases) {
        const text = version.replace(/^v/, '').toLowerCase();
        const list = (kind: 'current' | 'proposed') =>
          notes
            .filter((note) => new RegExp(`^${note[kind] ?? '$^'}$`).test(text))
            .filter(({ words }) => words.startsWith('Support'))
            .map(
              (note) => `${note.labels.join()} ${note.words.split('. ')[0]!.replace(/\.$/, '')}`,
            );
        const line = svc.lines.find((each) => each.line === name)!;
        const { state, end } = line;
        let inUse: string[] = [];
        let proposed: string[] = [];
        if (state === 'ended') {
          const hasEnded = markEstimated('has ended', line.isInferred);
          inUse = [`unsupported Support of this version ${end}`];
          proposed = [` Support of the proposed version ${hasEnded}`];
        } else if (line.phases.length > 0) {
          inUse = [`${labels.get(state) ?? ''} Support: ${end}`];
          proposed = [` Support of the proposed version: ${end}`];
        }

        expect(list('current'), version).toEqual(inUse);
        expect(list('proposed'), version).toEqual(proposed);
      }
    }),
    { numRuns: 500 },
  );
});

const alike = fc.subarray(['1.1.1', '1.1.1k', '1.1.1w', '1.2.0', '1.2.0.post1', '1.2.0-rc1']);
const ranges = fc.constantFrom('<1.2', '=1.2.0', '<1.2.0.post1', '=1.1.1k', '>=1.2.0.post1');

test('advice says "Move back" only if the recommended version is older', () => {
  fc.assert(
    fc.property(alike, ranges, (texts, affected) => {
      const listed = texts.map((text) => release(text, '2025-01-01'));
      const component = judgeOn(today, listed, { advisories: [{ id: 'CVE-2026-1', affected }] });
      for (const { version, moveTo, advice } of describeReleases(component)) {
        const from = readVersion(version);
        const to = readVersion(moveTo?.version ?? version);
        const order = compareToBound(to, from) || compareVersions(to, from);
        expect(advice.startsWith('Move back'), `${version}: ${advice}`).toBe(order < 0);
      }
    }),
  );
});

const word = fc.stringMatching(/^[a-z]{1,3}\d?(?:[-._]?[a-z0-9]{1,3}){0,2}$/);
const version = fc.constantFrom('1.0', '2.9.9', 'v3', '2025.1.1-rc1', '7');
const separator = fc.constantFrom(' ', '==', '@', ': ', ',', ' = ', '>=');

test('readList never matches a list item to a component with a different name', async () => {
  const details = judgeOn(today, [release('1.0', '2025-01-01')]);
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.oneof(word, fc.string({ unit: 'grapheme-ascii', maxLength: 4 })),
      version,
      separator,
      async (name, more, stated, between) => {
        const other = `${name}${more}`;
        fc.pre(/^[\w.-]*[a-z\d]$/i.test(other) && other !== name);
        const owners = listOwners({ components: { [name]: { title: name } } } as never);
        for (const item of [other, more].filter(
          (each) => /^[a-z][\w.-]*$/i.test(each) && each.toLowerCase() !== name,
        )) {
          const { items } = readList(`${item}${between}${stated}\n`, owners);
          const entries = await findItems(items, owners, async () => details);
          expect(
            entries.flatMap(({ match }) => match ?? []),
            `${item}${between}${stated} for ${name}`,
          ).toEqual([]);
        }
      },
    ),
    { numRuns: 500 },
  );
});
