import { describe, expect, test } from 'vitest';
import { addDays, type Day } from '../../../src/core/dates.ts';
import type { StatedLine } from '../../../src/core/schemas/recorded.ts';
import { openGatedIndex, type GatedDay, type Statement } from '../../harness/gated-index.ts';

const start: Day = '2026-03-01';
const versions = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '1.8', '1.9'];
const releases = versions.map((version, index) => ({
  version,
  releaseTimestamp: addDays('2025-01-01', index * 40),
}));
const support = {
  policy: 'stated',
  source: { datasource: 'endoflife-date', product: 'x' },
};
const lines: StatedLine[] = versions.map((line, index) => ({
  line,
  phases: [{ name: 'support', until: addDays('2027-06-01', index * 40) }],
}));
const high = {
  id: 'CVE-2026-1',
  affected: '<1.8',
  fixed: ['1.8'],
  severity: 'high' as const,
};
const honest: Statement = { releases, lines, advisories: { [high.id]: high } };

/** What readers rely on, of versions that the honest index has. */
function reliedOn({ latest, deprecated, affected, ends }: GatedDay) {
  const known = (version: string) => versions.includes(version);
  return {
    latest: latest !== undefined && known(latest) ? latest : 'another',
    deprecated: deprecated.filter(known),
    affected: new Set(Object.values(affected).flat().filter(known)).size,
    ends: versions.map((line) => ends[line]),
  };
}

/** Each day of a lie, from the second day on; the last one is repeated. */
type Lie = (step: number, day: Day) => Statement;

const without = (gone: readonly string[]) => ({
  releases: releases.filter(({ version }) => !gone.includes(version)),
});
const deprecating = (some: readonly string[]) => ({
  releases: releases.map((one) => (some.includes(one.version) ? { ...one, deprecated: 'made up' } : one)),
});
const ending = (untilOf: (index: number, until: Day) => object) => ({
  lines: lines.map((one, index) => ({
    line: one.line,
    phases: [{ name: 'support', ...untilOf(index, one.phases[0]!.until!) }],
  })),
});
const advising = (more: object) => ({ advisories: { [high.id]: { ...high, ...more } } });
const step = (count: number, of: readonly string[]) => of.slice(0, count);

const lies: Record<string, Lie> = {
  'an answer that ends every line at once': () => ending(() => ({ isOver: true })),
  'an answer that ends every line in the past': () => ending(() => ({ until: '2025-12-31' })),
  'an answer that ends every line ten days later, a line a day': (count) =>
    ending((index, until) => (index < count ? { until: addDays(start, 20) } : { until })),
  'ends that move by 80 days every 31 days': (count) =>
    ending((_, until) => ({ until: addDays(until, -80 * Math.ceil(count / 31)) })),
  'ends that move by a day each day': (count) => ending((_, until) => ({ until: addDays(until, -count) })),
  'a list without most versions': () => without(versions.slice(0, 6)),
  'an empty list': () => without(versions),
  'a list without the two greatest': () => without(['1.8', '1.9']),
  'a list that loses its greatest every third day': (count) =>
    without(versions.slice(10 - Math.ceil(count / 3))),
  'a list that loses an old version every tenth day': (count) =>
    without(step(Math.ceil(count / 10), versions)),
  'a deprecation of most versions': () => deprecating(versions.slice(0, 6)),
  'a deprecation of the two greatest': () => deprecating(['1.8', '1.9']),
  'a deprecation of a version a week': (count) => deprecating(step(Math.ceil(count / 7), versions)),
  'a flag that makes the three greatest prereleases': () => ({
    releases: releases.map((one) => (one.version >= '1.7' ? { ...one, isPrerelease: true } : one)),
  }),
  'an advisory that is withdrawn': () => ({ advisories: { [high.id]: undefined } }),
  'an advisory whose range shrinks': () => advising({ affected: '<0.1', fixed: ['0.1'] }),
  'an advisory that frees a version a day': (count) =>
    advising({ affected: `<1.8 >=1.${Math.min(count, 7)}` }),
  'an advisory that a lesser one replaces': () => ({
    advisories: {
      [high.id]: undefined,
      'CVE-2026-2': { id: 'CVE-2026-2', affected: '<1.8', severity: 'low' },
    },
  }),
  'gathered data without advisories, with made-up flags': () => ({
    data: (data) => ({
      ...data,
      advisories: [],
      releases: data.releases.map((one) => (one.version >= '1.4' ? { ...one, deprecated: 'made up' } : one)),
    }),
  }),
  'gathered data without half of the releases': () => ({
    data: (data) => ({ ...data, releases: data.releases.filter(({ version }) => version < '1.5') }),
  }),
  'gathered data in which versions are withdrawn': () => ({
    data: (data) => ({
      ...data,
      releases: data.releases.map((one) => (one.version >= '1.4' ? { ...one, withdrawnSince: start } : one)),
    }),
  }),
  'a list that lacks the greatest release every second day': (count) =>
    count % 2 === 1 ? without(['1.9']) : {},
  'an edit that ends support': () => ({ definition: { support: { policy: 'ended', since: '2026-01-01' } } }),
  'an edit that deprecates half of the releases': () => ({
    definition: { support, deprecated: [{ versions: '>=1.0 <1.5', reason: 'An old line.' }] },
  }),
  'an edit that admits few releases': () => ({
    definition: {
      support,
      sources: [{ datasource: 'npm', packageName: 'x', allowedVersions: '/^1\\.[0-4]$/' }],
    },
  }),
};

describe.each(Object.entries(lies))('%s', (_, lie) => {
  test('is held, and takes nothing that counts until then', () => {
    const index = openGatedIndex({ support });
    let before = reliedOn(index.run(start, honest));
    let heldOn: Day | undefined;
    for (let count = 1; count <= 400 && heldOn === undefined; count += 1) {
      const day = addDays(start, count);
      const today = index.run(day, { ...honest, ...lie(count, day) });
      if (today.held.length > 0) {
        heldOn = day;
        const isFirstDay = count === 1;
        if (isFirstDay) expect(reliedOn(today)).toEqual(before);
      } else before = reliedOn(today);
    }

    expect(heldOn).toBeDefined();
    expect(before.latest).toMatch(/^1\.[89]$/);
    // Half of what readers rely on is never lost.
    expect(before.deprecated.length).toBeLessThan(6);
    expect(before.affected).toBeGreaterThanOrEqual(7);
  });
});
