import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definition } from '../../harness/root.ts';
import { rootOf, siteOf } from '../../harness/site.ts';

test('the table of releases says what to move to, also to another component', () => {
  const root = rootOf({
    node: {
      definition: definition({
        replacedBy: 'svc',
        support: { policy: 'ended', since: '2026-01-01' },
      }),
      releases: [{ version: '1.0' }],
    },
    svc: {
      definition: definition({ support: { policy: 'dated', lines: { '2025.1': '2026-10-08' } } }),
      releases: [{ version: '2025.1' }, { version: '2025.2' }],
    },
  });
  const table = readFileSync(join(siteOf(root, '2026-11-23'), 'releases.csv'), 'utf8');
  const [head = [], ...rows] = table
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const [version, moveTo] = ['version', 'onBuildDay.moveTo'].map((name) => head.indexOf(name));

  expect(rows.map((row) => [row[version!], row[moveTo!]])).toEqual([
    ['1.0', 'svc@2025.2'],
    ['2025.1', 'svc@2025.2'],
    ['2025.2', ''],
  ]);
});
