import { expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot } from '../../harness/root.ts';

test('reports a day that contradicts another one, or the year in the version', async () => {
  const root = makeRoot({
    'components/svc.json': definition(),
    'data/svc.json': {
      releases: [
        { version: '1.0', releaseTimestamp: '2023-01-10' },
        { version: '1.2', releaseTimestamp: '2024-02-01', firstSeen: '2020-02-01' },
        { version: '1.3', firstSeen: '2024-05-01', withdrawnSince: '2020-01-01' },
        { version: '1.4', firstSeen: '2024-05-01', deprecatedSince: '2020-01-01' },
        { version: '1.5', releaseTimestamp: '2024-06-01' },
      ],
    },
    'components/edge.json': definition(),
    'data/edge.json': {
      releases: [{ version: '2025.1', releaseTimestamp: '2020-01-01', timestampKind: 'observed' }],
    },
  });

  const run = await runCli(['check', '--root', root, '--as-of', '2026-06-01']);

  expect(run.status).toBe(0);
  expect(linesOf(run.stderr).toSorted()).toEqual([
    'warning: data/edge.json: 2025.1: releaseTimestamp: 2020-01-01 is years before 2025, the year of its name',
    'warning: data/svc.json: 1.2: releaseTimestamp: 2024-02-01 is after the day on which it was first seen (2020-02-01)',
    'warning: data/svc.json: 1.3: withdrawnSince: 2020-01-01 is before the day on which it was first seen (2024-05-01)',
    'warning: data/svc.json: 1.4: deprecatedSince: 2020-01-01 is before the day on which it was first seen (2024-05-01)',
  ]);
});
