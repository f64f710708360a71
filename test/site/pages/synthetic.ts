import { addDays } from '../../../src/core/model/dates.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { definition } from '../../harness/root.ts';
import type { TestComponent } from '../../harness/site.ts';

export interface SyntheticComponent extends TestComponent {
  releases: RecordedRelease[];
}

export const hostileText = `<script>alert(1)</script> "quoted" 'single' & &amp; {{title}} {{{raw}}} </td></table><h1>$&`;
/** With every character that a version may have. */
export const oddVersions = ['1.0', '1.0!beta', '1.1-_:b', '1.2~7e~', '1.3+--'];

const links = { homepage: 'https://example.com/', changelogUrl: 'https://example.com/changelog' };
const source = { datasource: 'npm', packageName: 'example' };
const answered = { sources: { 'npm:example': { since: '2026-11-20' } } };

/** Components with every oddity a page must bear, judged as of 2026-11-20. */
export function syntheticComponents(): Record<string, SyntheticComponent> {
  return {
    calm: {
      definition: {
        title: 'Calm service',
        description: 'Releases every quarter and supports each line for eighteen months.',
        ...links,
        releaseChangelogUrl: { template: 'https://example.com/changelog#{versionDashed}' },
        sources: [source],
        support: { policy: 'term', months: 18 },
      },
      releases: quarterly(2021, 24),
      freshness: answered,
    },
    mixed: mixed(),
    thousand: {
      definition: {
        title: 'Component with a thousand releases',
        description: 'Ten releases a month, for years.',
        ...links,
        sources: [source],
        support: { policy: 'latest-lines', count: 4 },
      },
      releases: sequence(
        1000,
        (index) => `${Math.floor(index / 100) + 1}.${Math.floor(index / 10) % 10}.${index % 10}`,
      ),
      freshness: answered,
    },
    'three-thousand': {
      definition: { title: 'Component with three thousand releases', ...links, sources: [source] },
      releases: sequence(3000, (index) => `0.${Math.floor(index / 20)}.${index % 20}`),
      freshness: answered,
    },
    none: {
      definition: { title: 'Component without releases', ...links, sources: [] },
      releases: [],
    },
    ended: {
      definition: {
        title: 'Component that has ended',
        description: 'Was replaced by another one.',
        ...links,
        sources: [source],
        support: {
          policy: 'ended',
          until: '2026-12-31',
          reason: 'Support ends with 2026; move to the calm service.',
        },
      },
      releases: quarterly(2019, 18),
      freshness: answered,
    },
    hostile: {
      definition: {
        title: hostileText,
        description: hostileText,
        homepage: 'https://example.com/?a=1&b={{title}}',
        changelogUrl: 'https://example.com/?q=$&#x',
        sources: [source],
        deprecated: [
          { versions: ['1.0'], reason: hostileText, url: 'https://example.com/?why=&amp;' },
        ],
      },
      releases: oddVersions.map((version, index) => ({
        version,
        releaseTimestamp: addDays('2026-01-01', index),
        ...(index % 2 === 0 && { deprecated: hostileText }),
      })),
      freshness: {
        sources: { 'npm:example': { since: '2026-11-19', reason: hostileText } },
      },
    },
  };
}

/** Withdrawn, observed, undated, corrected, prerelease, deprecated by hand, now and later; an answer is held. */
function mixed(): SyntheticComponent {
  return {
    definition: {
      title: 'Mixed history',
      description: 'Something of everything that can happen to a release.',
      ...links,
      sources: [source],
      prereleases: true,
      support: {
        policy: 'dated',
        lines: { '2.0': '2026-03-01', '2.1': '2027-01-15', '3.0': '2028-06-30' },
      },
      deprecated: [
        {
          versions: ['3.0.1'],
          reason: 'Loses data on restart.',
          url: 'https://example.com/advisory',
          since: '2026-07-01',
        },
        {
          versions: ['2.1.0'],
          reason: 'Will not start after its certificate ends',
          since: '2026-12-24',
        },
      ],
    },
    releases: [
      { version: '1.9.0' },
      { version: '2.0.0', releaseTimestamp: '2024-02-01', timestampKind: 'observed' },
      { ...listed('2.0.1', '2024-05-10T10:00:00Z'), withdrawnSince: '2026-05-05' },
      listed('2.1.0', '2025-02-03T08:30:00Z'),
      listed('2.1.1', '2025-05-01T00:00:00Z'),
      listed('3.0.0-rc1', '2026-05-20'),
      { ...listed('3.0.0', '2026-06-01'), changelogUrl: 'https://example.com/changelog/3.0.0' },
      { ...listed('3.0.1', '2026-06-15'), deprecated: 'use 3.0.2' },
      listed('3.0.2', '2026-07-01'),
    ],
    freshness: answered,
    waits: {
      id: 'mixed-0f1e2d3c4b',
      component: 'mixed',
      kind: 'change',
      since: '2026-11-18',
      causes: ['npm:example'],
      reason: 'would withdraw 5 of 9 versions',
    },
  };
}

/** A release that its source listed on the day it was published. */
function listed(version: string, releaseTimestamp: string): RecordedRelease {
  return {
    version,
    releaseTimestamp,
    source: 'npm:example',
    firstSeen: releaseTimestamp.slice(0, 10),
  };
}

function quarterly(firstYear: number, count: number): RecordedRelease[] {
  return Array.from({ length: count }, (_, index) => {
    const year = firstYear + Math.floor(index / 4);
    const line = `${year}.${(index % 4) + 1}`;
    const day = addDays(`${year}-01-20`, (index % 4) * 91);
    return [listed(line, `${day}T00:00:00Z`), listed(`${line}.1`, `${addDays(day, 40)}T09:15:00Z`)];
  })
    .flat()
    .filter(({ releaseTimestamp }) => releaseTimestamp! < '2026-11-20');
}

function sequence(count: number, version: (index: number) => string): RecordedRelease[] {
  return Array.from({ length: count }, (_, index) => {
    const day = addDays('2026-11-10', Math.floor(((index + 1 - count) * 3000) / count));
    return listed(version(index), `${day}T12:00:00Z`);
  });
}

const released = (...versions: string[]) =>
  versions.map((version) => ({ version, releaseTimestamp: `${Number(version[0]) + 2024}-01-10` }));

/** A server whose first line has ended, and five components that state something about it. */
export const partners = {
  server: {
    definition: definition({ title: 'Server', support: { policy: 'term', months: 12 } }),
    releases: released('1.0', '2.0'),
  },
  keeps: {
    definition: definition({
      title: 'Keeps',
      worksWith: { server: [{ versions: '1.0', from: '1.0', url: 'https://example.com/keeps' }] },
    }),
    releases: released('1.0'),
  },
  moves: {
    definition: definition({
      title: 'Moves',
      worksWith: {
        server: [
          { versions: '1.0', before: '2.0' },
          { versions: '2.0', from: '2.0' },
        ],
      },
    }),
    releases: released('1.0', '2.0'),
  },
  starts: {
    definition: definition({
      title: 'Starts',
      worksWith: { server: [{ versions: '1.0', from: '2.0' }] },
    }),
    releases: released('1.0'),
  },
  tested: {
    definition: definition({
      title: 'Tested',
      worksWith: { server: [{ versions: '1.0', from: '1.0', testedTo: '1.0' }] },
    }),
    releases: released('1.0'),
  },
  replaced: {
    definition: definition({
      title: 'Replaced',
      worksWith: { server: [{ versions: '1.0', from: '1.0' }] },
      support: { policy: 'ended', until: '2026-12-31' },
      replacedBy: 'keeps',
    }),
    releases: released('1.0'),
  },
};
