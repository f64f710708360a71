/** Builds an index full of problems: ended support, vulnerable and withdrawn releases, unknown dates, and sources that fail. */
import { join } from 'node:path';
import type { Day } from '../../src/core/day.ts';
import { saveFile } from '../../src/core/files.ts';
import { buildFolder, writeIndex, type Facts } from './components.ts';

export const uncertainDay: Day = '2026-11-27';

const stated = { policy: 'term', url: 'https://example.com/support' };
const readNpm = (packageName: string) => [{ datasource: 'npm', packageName }];
const observe = (version: string, notBefore: Day, day: Day) => ({
  version,
  sources: [],
  notBefore,
  releaseTimestamp: `${day}T00:00:00Z`,
  timestampKind: 'observed',
});
const withdrawn = {
  version: '1.1',
  sources: ['npm:plugin'],
  missingSince: '2026-02-01',
  withdrawnSince: '2026-02-02',
};

const components: Readonly<Record<string, Facts>> = {
  agent: {
    definition: {
      title: 'Agent',
      sources: readNpm('agent'),
      support: { policy: 'term', months: 18, inferred: 'Two lines ran so long.' },
    },
    releases: { '1.0': '2024-01-10', '1.1': '2025-04-20', '1.2': '2026-06-01' },
  },
  bundle: {
    definition: { title: 'Bundle', support: { policy: 'latest-lines', count: 2, line: 1 } },
    releases: Object.fromEntries(
      Array.from({ length: 1200 }, (_, patch) => [`1.${patch}.0`, '2026-01-01']),
    ),
  },
  cache: {
    definition: {
      title: 'Cache',
      advisories: [{ id: 'CVE-2026-2', affected: '<3', severity: 'high' }],
    },
    releases: { '2.0.0': '2026-03-01' },
  },
  collector: {
    definition: {
      title: 'Collector',
      replacedBy: 'agent',
      support: { policy: 'ended', until: '2026-11-19', reason: 'It is part of the agent.' },
    },
    releases: { '3.0': '2020-01-01', '3.1': '2023-01-01' },
  },
  console: {
    definition: {
      title: 'Console',
      sources: readNpm('console'),
      support: { ...stated, months: 12 },
      deprecated: [{ versions: ['5.0'], reason: 'It loses sessions.' }],
    },
    releases: [
      observe('4.0', '2025-10-01', '2025-12-20'),
      observe('5.0', '2026-02-01', '2026-03-01'),
      { ...observe('6.0', '2026-09-01', '2026-10-01'), digest: `sha256:${'0f'.repeat(32)}` },
    ],
  },
  gateway: {
    definition: {
      title: 'Gateway',
      support: { ...stated, months: 24 },
      advisories: [{ id: 'CVE-2026-1', affected: '<1.1.1', fixed: ['1.1.1'] }],
    },
    releases: { '1.0.0': '2025-10-01', '1.0.1': '2026-02-01', '1.1.1': '2026-06-01' },
  },
  newcomer: { definition: { title: 'Newcomer' } },
  plugin: {
    definition: { title: 'Plugin', sources: readNpm('plugin') },
    releases: [withdrawn],
  },
  runtime: {
    definition: {
      title: 'Runtime',
      support: {
        ...stated,
        phases: [
          { name: 'current', months: 6 },
          { name: 'maintenance', months: 8 },
        ],
        lts: {
          lines: ['26.0'],
          phases: [
            { name: 'current', months: 6 },
            { name: 'maintenance', months: 36 },
          ],
        },
      },
    },
    releases: { '24.0': '2025-11-15', '26.0': '2026-05-01', '27.0': '2026-10-10' },
  },
};

let root: string | undefined;

/** Builds this index once. Returns its folder, with the site in `dist`. */
export function buildUncertain(): string {
  if (root === undefined) {
    // The tests run on a later day than `uncertainDay`. With the usual limit of a few days, every page would warn that the index is stale.
    root = writeIndex(components, { staleAfterDays: 1_000_000 });
    const failing = { failingSince: '2026-11-20', reason: 'GET https://npm.example.com failed.' };
    const freshness = {
      agent: { 'npm:agent': failing },
      console: { 'npm:console': failing },
      plugin: { 'npm:plugin': { answeredOn: uncertainDay } },
    };
    saveFile(join(root, 'data/freshness.json'), JSON.stringify(freshness));
    buildFolder(root, uncertainDay);
  }
  return root;
}
