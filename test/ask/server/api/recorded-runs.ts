import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../../../src/core/schemas/recorded/runs.ts';
import { definition, makeRoot, writeIn } from '../../../harness/root.ts';

/** A day after all runs. */
export const dayAfterRuns = '2026-03-03';

/** A run that npm did not start, and in which no source answered. */
export const old: Run = {
  id: 'aaaaaaaaaaaa1',
  asOf: '2025-12-31',
  at: '2025-12-31T04:23:10.001Z',
  requested: ['record'],
  program: '1.0.0',
  node: '24.0.0',
  startedAt: '2025-12-31T04:23:10.000Z',
  components: 2,
  asked: 1,
  finishedAt: '2025-12-31T04:23:10.500Z',
  events: 0,
};
export const sound: Run = {
  id: 'aaaaaaaaaaaa2',
  asOf: '2026-03-01',
  at: '2026-03-01T04:23:20.000Z',
  requested: ['daily', '--push', '--skip-publish'],
  program: '1.1.0',
  node: '24.1.0',
  npm: '11.6.2',
  commit: '0123456789abcdef0123456789abcdef01234567',
  startedAt: '2026-03-01T04:23:10.000Z',
  components: 2,
  asked: 2,
  answered: 2,
  finishedAt: '2026-03-01T04:23:21.500Z',
  events: 0,
};
export const failedAt = '2026-03-02T04:23:15.000Z';
export const troubled: Run = {
  ...sound,
  id: 'aaaaaaaaaaaa3',
  asOf: '2026-03-02',
  at: '2026-03-02T04:23:20.000Z',
  requested: ['daily'],
  npm: '11.7.0',
  projectName: 'my-index',
  operatingSystem: 'Linux',
  numberOfCpuCores: 4,
  nodeLocale: 'en-GB',
  published: sound.at,
  publishedAt: '2026-03-01T04:31:07.000Z',
  startedAt: '2026-03-02T04:23:10.000Z',
  finishedAt: '2026-03-02T04:25:10.000Z',
  answered: 1,
  troubles: [
    {
      component: 'tool',
      source: 'pypi:tool',
      kind: 'failed',
      reason: 'pypi answered 503',
      at: failedAt,
    },
  ],
  waits: [
    {
      ...{ id: 'tool-0f1e2d3c4b', component: 'tool', kind: 'change', since: '2026-03-01' },
      ...{ causes: ['npm:tool'], reason: '3 releases would be withdrawn' },
    },
  ],
};
/** Oldest first. */
export const allRuns = [old, sound, troubled];

/** When each run was published, for a site in this folder: `sound` does not say it of `old`. */
export function publicationsIn(out: string): number[] {
  return [
    Date.parse(sound.startedAt),
    Date.parse(troubled.publishedAt!),
    Math.floor(statSync(join(out, 'SHA256SUMS')).mtimeMs / 1000) * 1000,
  ];
}

const linesOf = (runs: readonly Run[]) => runs.map((run) => `${JSON.stringify(run)}\n`).join('');

/** A root with runs in the files of their years. */
export function rootWithRuns(runs: readonly Run[] = allRuns): string {
  const root = makeRoot({ 'components/svc.json': definition() });
  for (const [year, ofYear] of Map.groupBy(runs, ({ at }) => at.slice(0, 4))) {
    writeIn(root, `data/runs/${year}.ndjson`, linesOf(ofYear));
  }
  return root;
}
