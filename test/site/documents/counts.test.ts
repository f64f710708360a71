/**
 * Checks that `search/`, the API and `details/` give the same counts of releases. Also checks the deprecation date of each deprecated
 * release.
 */
import { expect, test } from 'vitest';
import type { Search } from '../../../src/core/schema/documents.ts';
import type { Release } from '../../../src/core/schema/published.ts';
import { openSiteApi } from '../../harness/api.ts';
import { judgeComponents, readFiles } from '../../harness/components.ts';
import { buildExample } from '../../harness/site.ts';

function count(releases: readonly Partial<Release>[]) {
  return {
    deprecated: releases.filter(({ isDeprecated }) => isDeprecated).length,
    ended: releases.filter(({ state }) => state === 'ended').length,
    supported: releases.filter(({ isSupported }) => isSupported).length,
    behind: releases.reduce((sum, { releasesBehind = 0 }) => sum + releasesBehind, 0),
  };
}

/** Reads the columns of a search document, as CONTRACT describes them. */
function readSearched({ size, columns }: Search['components'][string]) {
  const read = (field: string, row: number) => {
    const { values, at } = columns[field] ?? { values: [] };
    const place = at?.[row] ?? (values.length > 1 ? row : 0);
    return values[place];
  };
  return Array.from({ length: size }, (_, row): any => ({
    state: read('state', row),
    isDeprecated: read('isDeprecated', row),
    isSupported: read('isSupported', row),
    releasesBehind: read('releasesBehind', row),
  }));
}

test('search/, the API and details/ give the same numbers of ended, supported and deprecated releases', async () => {
  const files = readFiles(buildExample());
  const read = (path: string): any => JSON.parse(files.get(path)!);
  const ask = openSiteApi(buildExample());
  const total: Release[] = [];
  const { componentsPerPart } = read('status.json');
  for (const [place, name] of read('index.json').entries()) {
    const { releases } = read(`details/${name}.json`);
    const counts = count(releases);
    const asked = await ask(`/api/releases?maxReleases=1000&query=component:${name}`);
    const part = read(`search/${Math.floor(place / componentsPerPart)}.json`);
    const searched = readSearched(part.components[name]);

    expect(count((await asked.json()) as Release[]), name).toEqual(counts);
    expect(count(searched), name).toEqual(counts);
    total.push(...releases);
  }
  expect(Object.values(count(total))).not.toContain(0);

  const [longest, ...others] = total.map(Object.keys).sort((a, b) => b.length - a.length);
  for (const keys of others) {
    const shared = new Set(keys).intersection(new Set(longest));
    expect([...shared]).toEqual(longest!.filter((key) => shared.has(key)));
  }
});

const broken = { versions: ['1.0', '1.1'], reason: 'Broken.' };
const old = { versions: '*', reason: 'Old.', since: '2026-10-04' };

// The events of 1 November are from the component's first run.
test.each<[days: string, definition: object, events: string[]]>([
  [
    'unknown, 2026-10-01',
    { deprecated: [broken, old] },
    ['11-01 deprecated 1.0', '11-10 deprecated 1.0', '10-01 deprecated 1.1'],
  ],
  [
    '2026-11-10, 2026-11-12',
    { deprecated: [broken] },
    [
      '11-10 deprecated 1.0',
      '11-20 deprecated 1.0',
      '09-20 deprecated 1.1',
      '09-30 restored 1.1',
      '11-12 deprecated 1.1',
    ],
  ],
  [
    '2026-10-03, 2026-10-03',
    { deprecated: [{ ...broken, since: '2026-10-03' }, old] },
    ['11-05 deprecated 1.0'],
  ],
  ['unknown, 2026-11-08', { support: { policy: 'ended' } }, ['11-08 support-ended 1.1']],
  // The releases were deprecated on an unknown date, before their support ended.
  [
    'unknown, unknown',
    { support: { policy: 'ended', until: '2026-11-06' } },
    ['11-06 support-ended 1.0'],
  ],
])(
  'deprecation dates come from the definition or the journal: the dates are %s with the definition %j and the events %j',
  (days, definition, events) => {
    const journal = ['11-01 released 1.0', '11-01 released 1.1', ...events].map((event) => {
      const [day, type, subject] = event.split(' ');
      const key = type === 'support-ended' ? 'line' : 'version';
      const on = `2026-${day}`;
      const initial = day === '11-01' || undefined;
      return { at: `${on}T06:00:00Z`, on, type, [key]: subject, initial, reason: `Since ${day}` };
    });
    const { components } = judgeComponents({ svc: { definition, journal } });

    const since = components[0]!.releases.map(({ deprecatedSince = 'unknown' }) => deprecatedSince);
    expect(since.join(', ')).toBe(days);
  },
);
