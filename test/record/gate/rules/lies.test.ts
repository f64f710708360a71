import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../../src/core/model/dates.ts';
import type {
  RecordedData,
  RecordedRelease,
  StatedLine,
} from '../../../../src/core/schemas/recorded/recorded.ts';
import { openGatedIndex, type GatedDay, type Statement } from '../../../harness/gated-index.ts';

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

/** The facts that readers rely on, for versions in the honest index. */
function reliedOn({ latest, deprecated, affected, ends }: GatedDay) {
  const known = (version: string) => versions.includes(version);
  return {
    latest: latest !== undefined && known(latest) ? latest : 'another',
    deprecated: deprecated.filter(known),
    affected: new Set(Object.values(affected).flat().filter(known)).size,
    ends: versions.map((line) => ends[line]),
  };
}

/** Each day of a lie, from the second day on. */
type Lie = (count: number) => Statement;

const without = (gone: readonly string[]) => ({
  releases: releases.filter(({ version }) => !gone.includes(version)),
});
const describing = (some: readonly string[], more: object) => ({
  releases: releases.map((one) => (some.includes(one.version) ? { ...one, ...more } : one)),
});
const deprecating = (some: readonly string[]) => describing(some, { deprecated: 'made up' });
const unstable = (some: readonly string[]) => describing(some, { isPrerelease: true });
const ending = (endOf: (index: number, until: Day) => object) => ({
  lines: lines.map((one, index) => ({
    line: one.line,
    phases: [{ name: 'support', ...endOf(index, one.phases[0]!.until!) }],
  })),
});
const earlier = (days: number) => ending((_, until) => ({ until: addDays(until, -days) }));
const advising = (more: object) => ({ advisories: { [high.id]: { ...high, ...more } } });
const lesser = (id: string, affected: string) => ({
  [id]: { id, affected, severity: 'low' as const },
});
const adding = (...more: readonly string[]) => ({ releases: [...releases, ...more] });
const handing = (change: (release: RecordedRelease, data: RecordedData) => object): Statement => ({
  data: (data) => ({
    ...data,
    releases: data.releases.map((one) => ({ ...one, ...change(one, data) })),
  }),
});
const editing = (more: object): Statement => ({ definition: { support, ...more } });
const admitting = (allowedVersions: string) =>
  editing({ sources: [{ datasource: 'npm', packageName: 'x', allowedVersions }] });

/** The first versions, and one more every few days. */
const oldest = (days: number, count: number) => versions.slice(0, Math.ceil(count / days));
const greatest = (days: number, count: number) => versions.slice(10 - Math.ceil(count / days));
const isOlder = (version: string, days: number, count: number) =>
  oldest(days, count).includes(version);

/** Three variants of each lie, fast and slow. */
const lies: Readonly<Record<string, { fast: readonly Lie[]; slow: readonly Lie[] }>> = {
  'ends of support': {
    fast: [
      () => ending(() => ({ isOver: true })),
      () => ending(() => ({ until: '2025-12-31' })),
      () => ending((index, until) => (index < 5 ? { until } : { isOver: true })),
    ],
    slow: [
      (count) => ending((index, until) => ({ until: index < count ? addDays(start, 20) : until })),
      (count) => earlier(80 * Math.ceil(count / 31)),
      (count) => earlier(count),
    ],
  },
  'versions that are gone': {
    fast: [
      () => without(versions.slice(0, 5)),
      () => without(versions.slice(5)),
      () => without(['1.8', '1.9']),
    ],
    slow: [
      (count) => without(greatest(3, count)),
      (count) => without(oldest(10, count)),
      (count) => without(oldest(14, count)),
    ],
  },
  deprecations: {
    fast: [
      () => deprecating(versions.slice(0, 6)),
      () => deprecating(versions),
      () => deprecating(['1.8', '1.9']),
    ],
    slow: [
      (count) => deprecating(oldest(7, count)),
      (count) => deprecating(oldest(14, count)),
      (count) => deprecating(greatest(10, count)),
    ],
  },
  'false prereleases': {
    fast: [
      () => unstable(['1.7', '1.8', '1.9']),
      () => unstable(versions),
      () => unstable(versions.slice(0, 9)),
    ],
    slow: [
      (count) => unstable(oldest(7, count)),
      (count) => unstable(oldest(14, count)),
      (count) => unstable(greatest(10, count)),
    ],
  },
  'advisories that hide': {
    fast: [
      () => ({ advisories: { [high.id]: undefined } }),
      () => advising({ affected: '<0.1', fixed: ['0.1'] }),
      () => ({ advisories: { [high.id]: undefined, ...lesser('CVE-2026-2', '<1.8') } }),
    ],
    slow: [
      (count) => advising({ affected: `<1.8 >=1.${Math.min(count, 7)}` }),
      (count) => advising({ affected: `<1.${Math.max(8 - Math.ceil(count / 60), 0)}` }),
      (count) => ({
        advisories: { [high.id]: count < 40 ? high : undefined, ...lesser('CVE-2026-2', '<1.8') },
      }),
    ],
  },
  'edited data': {
    fast: [
      () => ({ ...honest, advisories: {}, data: (data) => ({ ...data, advisories: [] }) }),
      () => ({
        data: (data) => ({
          ...data,
          releases: data.releases.filter(({ version }) => version < '1.5'),
        }),
      }),
      () => handing(({ version }) => (version >= '1.4' ? { withdrawnSince: start } : {})),
    ],
    slow: [
      (count) =>
        handing(({ version }) => (isOlder(version, 7, count) ? { deprecated: 'made up' } : {})),
      (count) =>
        handing(({ version }) => (isOlder(version, 14, count) ? { withdrawnSince: start } : {})),
      (count) => ({
        data: (data) => ({
          ...data,
          releases: data.releases.filter(({ version }) => !isOlder(version, 14, count)),
        }),
      }),
    ],
  },
  edits: {
    fast: [
      () => ({ definition: { support: { policy: 'ended', until: '2026-01-01' } } }),
      () => editing({ deprecated: [{ versions: '>=1.0 <1.5', reason: 'An old line.' }] }),
      () => admitting('/^1\\.[0-4]$/'),
    ],
    slow: [
      (count) => editing({ deprecated: [{ versions: oldest(7, count), reason: 'An old line.' }] }),
      (count) => editing({ deprecated: [{ versions: oldest(14, count), reason: 'An old line.' }] }),
      (count) => admitting(`/^(?:0|1\\.[${Math.min(Math.ceil(count / 20), 9)}-9])/`),
    ],
  },
  numbers: {
    fast: [() => adding('900.0'), () => adding('2026.1'), () => adding('1.9000')],
    slow: [
      (count) => adding(...['9.0', '81.0', '729.0', '6561.0'].slice(0, Math.ceil(count / 31))),
      (count) => adding(...['1.81', '1.729', '1.6561'].slice(0, Math.ceil(count / 31))),
      (count) => adding(...['2.0', '18.0', '170.0', '1600.0'].slice(0, Math.ceil(count / 60))),
    ],
  },
};

/** Honest versions that arrive with the lie. */
const added = ['0.8', '0.9'];

const variants = Object.entries(lies).flatMap(([about, bySpeed]) =>
  Object.entries(bySpeed).flatMap(([speed, of]) =>
    of.map((lie, index) => ({
      name: `${about}, ${speed} (${index + 1})`,
      isFast: speed === 'fast',
      lie,
    })),
  ),
);

test.each(variants)(
  'holds a lie about $name, which takes nothing from readers',
  ({ name, isFast, lie }) => {
    const index = openGatedIndex({ support });
    let before = reliedOn(index.run(start, honest));
    let today: GatedDay | undefined;
    let count = 0;
    while (count < 400 && !today?.held.length) {
      count += 1;
      if (today) {
        before = reliedOn(today);
      }
      const said = lie(count);
      today = index.run(addDays(start, count), {
        ...honest,
        ...said,
        releases: [...(said.releases ?? releases), ...added],
      });
    }
    const waiting = today!.held.flatMap(({ versions: of = [] }) => of);

    expect(today!.held).not.toEqual([]);
    // A version is withdrawn on the second day without it.
    if (isFast) {
      expect(count).toBeLessThanOrEqual(name.startsWith('versions') ? 2 : 1);
    }
    // A greatest version that upstream pulls leaves readers at once.
    const isPulling = /^(?:versions|deprecations)/.test(name);
    const pulled = { ...before, latest: '1.8', deprecated: ['1.9'] };
    expect(isPulling ? [before, pulled] : [before]).toContainEqual(reliedOn(today!));
    // Half of what readers rely on is never lost.
    expect(today!.deprecated.filter((version) => versions.includes(version)).length).toBeLessThan(
      6,
    );
    expect(before.affected).toBeGreaterThanOrEqual(name.startsWith('advisories') ? 8 : 3);
    expect(waiting).not.toContain(today!.latest);
    if (!name.startsWith('numbers')) {
      expect(before.latest).toMatch(/^1\.[789]$/);
    }
    // No run writes over data that a person edited.
    if (!name.startsWith('edited data')) {
      expect(today!.data.releases.map(({ version }) => version)).toEqual(
        expect.arrayContaining(added),
      );
    }
  },
);
