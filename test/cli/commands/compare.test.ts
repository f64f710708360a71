import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import { addComponent, createRoot, type TestRoot } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

let base: TestRoot;
let head: TestRoot;

beforeEach(() => {
  [base, head] = [createRoot(), createRoot()];
  for (const root of [base, head]) {
    addComponent(root, 'svc', published({ '2026.1': '2026-01-01', '2026.2': '2026-02-01' }));
  }
});

function published(days: Readonly<Record<string, string>>): object[] {
  return Object.entries(days).map(([version, releaseTimestamp]) => ({ version, releaseTimestamp }));
}

function compare() {
  return run(['compare', base.dir, '--root', head.dir, '--as-of', '2026-11-20']);
}

test('compare reports the effect of changed definitions', async () => {
  addComponent(head, 'edge-node', [{ version: '1.0' }, { version: '1.1' }]);
  addComponent(head, 'svc', published({ '2026.1': '2026-01-01', '2026.2': '2026-02-03' }), {
    deprecated: [{ versions: ['2026.2'], reason: 'broken' }],
  });

  const { status, stdout } = await compare();

  expect(status).toBe(0);
  expect(linesOf(stdout)).toEqual([
    'edge-node: added with 2 releases: from 1.0 to 1.1.',
    'svc: 2026.2: the release day was 2026-02-01 and is 2026-02-03 now.',
    'svc: 2026.2 is deprecated: broken.',
    'svc: the latest release is 2026.1, instead of 2026.2.',
  ]);
});

test('compare names each end of support and each verdict that moves, with both days', async () => {
  const releases = published({ '2024.1': '2024-12-01', '2026.1': '2026-01-01' });
  addComponent(base, 'svc', releases, { support: { policy: 'term', months: 18 } });
  addComponent(head, 'svc', releases, { support: { policy: 'term', months: 30 } });

  const lines = linesOf((await compare()).stdout);

  expect(lines).toEqual(
    expect.arrayContaining([
      'svc: Support of release line 2026.1 ends on 2028-07-01, instead of 2027-07-01: 2026.1 was first released on 2026-01-01; a release line is supported for 30 months.',
      'svc: 2024.1 is no longer deprecated: A release line is supported for 30 months from its first release.',
    ]),
  );
});

test('compare names each coming deprecation that is added, moved or dropped, with both days', async () => {
  const releases = ['1.0', '1.1', '2.0', '3.0'].map((version) => ({ version }));
  const deprecated = (days: Readonly<Record<string, string>>) => ({
    deprecated: Object.entries(days).map(([version, since]) => ({
      versions: [version],
      reason: 'Old',
      since,
    })),
  });
  const before = deprecated({ '1.0': '2027-01-01', '1.1': '2027-01-01', '2.0': '2027-03-01' });
  const after = deprecated({ '1.0': '2027-02-01', '1.1': '2027-02-01', '3.0': '2027-05-01' });
  addComponent(base, 'svc', releases, before);
  addComponent(head, 'svc', releases, after);

  expect(linesOf((await compare()).stdout)).toEqual([
    'svc: 1.0, 1.1: deprecated from 2027-02-01 on, not from 2027-01-01 on.',
    'svc: 2.0: no longer deprecated from 2027-03-01 on.',
    'svc: 3.0: deprecated from 2027-05-01 on.',
  ]);
});

test.each([
  ['nowhere', 'there is no folder'],
  ['site', 'site is not the checkout of an index: it has no folder components/'],
])('compare rejects the folder %s, which is no index', async (folder, message) => {
  const { status, stderr } = await run(['compare', join(head.dir, folder), '--root', head.dir]);

  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('compare ends with 1 where a recorded line is gone', async () => {
  base.write('data/runs/2026.ndjson', '{"id":1}\n{"id":2}\n');
  head.write('data/runs/2026.ndjson', '{"id":1}\n');

  const { status, stdout, stderr } = await compare();

  expect(status).toBe(1);
  expect(stderr).toContain('error: data/runs/2026.ndjson: line 2 is not as it was recorded.');
  expect(stdout).toBe('The index says the same as before.\n');
});
