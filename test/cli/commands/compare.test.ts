import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../harness/run.ts';
import { addComponent, createRoot, type TestRoot } from '../../harness/root.ts';

let base: TestRoot;
let head: TestRoot;

beforeEach(() => {
  [base, head] = [createRoot(), createRoot()];
  for (const root of [base, head]) {
    addComponent(root, 'svc', [
      { version: '2026.1', releaseTimestamp: '2026-01-01' },
      { version: '2026.2', releaseTimestamp: '2026-02-01' },
    ]);
  }
});

afterEach(() => {
  base.remove();
  head.remove();
});

test('compare reports the effect of changed definitions', async () => {
  addComponent(head, 'edge-node', [{ version: '1.0' }, { version: '1.1' }]);
  addComponent(
    head,
    'svc',
    [
      { version: '2026.1', releaseTimestamp: '2026-01-01' },
      { version: '2026.2', releaseTimestamp: '2026-02-03' },
    ],
    {
      deprecated: [{ versions: ['2026.2'], reason: 'broken' }],
    },
  );

  const result = await compare();

  expect(result.status).toBe(0);
  expect(result.stdout.trim().split('\n')).toEqual([
    'edge-node: added with 2 releases: from 1.0 to 1.1.',
    'svc: 2026.2: the release day was 2026-02-01 and is 2026-02-03 now.',
    'svc: 2026.2 is deprecated: broken.',
    'svc: the latest release is 2026.1, instead of 2026.2.',
  ]);
});

test('compare names each end of support and each verdict that moves, with both days', async () => {
  const releases = [
    { version: '2024.1', releaseTimestamp: '2024-12-01' },
    { version: '2026.1', releaseTimestamp: '2026-01-01' },
  ];
  addComponent(base, 'svc', releases, { support: { policy: 'term', months: 18 } });
  addComponent(head, 'svc', releases, { support: { policy: 'term', months: 30 } });

  const lines = (await compare()).stdout.trim().split('\n');

  expect(lines).toContain(
    'svc: Support of release line 2026.1 ends on 2028-07-01, instead of 2027-07-01: 2026.1 was first released on 2026-01-01; a release line is supported for 30 months.',
  );
  expect(lines).toContain(
    'svc: Support of release line 2024.1 ends on 2027-06-01, instead of 2026-06-01: 2024.1 was first released on 2024-12-01; a release line is supported for 30 months.',
  );
  expect(lines).toContain(
    'svc: 2024.1 is no longer deprecated: A release line is supported for 30 months from its first release.',
  );
});

test('compare names each deprecation ahead that is added, moved or dropped, with both days', async () => {
  const releases = ['1.0', '1.1', '2.0', '3.0'].map((version) => ({
    version,
    releaseTimestamp: '2026-01-01',
  }));
  const deprecated = (days: Readonly<Record<string, string>>) => ({
    deprecated: Object.entries(days).map(([version, since]) => ({
      versions: [version],
      reason: 'Old',
      since,
    })),
  });
  addComponent(
    base,
    'svc',
    releases,
    deprecated({ '1.0': '2027-01-01', '1.1': '2027-01-01', '2.0': '2027-03-01' }),
  );
  addComponent(
    head,
    'svc',
    releases,
    deprecated({ '1.0': '2027-02-01', '1.1': '2027-02-01', '3.0': '2027-05-01' }),
  );

  expect((await compare()).stdout.trim().split('\n')).toEqual([
    'svc: 1.0, 1.1: deprecated from 2027-02-01 on, not from 2027-01-01 on.',
    'svc: 2.0: no longer deprecated from 2027-03-01 on.',
    'svc: 3.0: deprecated from 2027-05-01 on.',
  ]);
});

test('compare reports that nothing changes', async () => {
  expect((await compare()).stdout).toBe('The index says the same as before.\n');
});

test('compare writes the summary of a workflow job', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'summary-'));
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '');
  addComponent(head, 'svc', [{ version: '2026.1-rc', releaseTimestamp: '2026-01-01' }]);

  await compare({ GITHUB_STEP_SUMMARY: summary });

  const text = readFileSync(summary, 'utf8');
  expect(text).toContain('    svc: 2026.2 was left out: data/svc.json no longer holds it.');
  expect(text).toContain('2026.1-rc was released on 2026-01-01.');
  rmSync(folder, { recursive: true });
});

test('compare rejects a malformed definition', async () => {
  head.write('components/svc.json', '{}');

  const result = await compare();

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    'error: components/svc.json: title: expected string; got nothing, and it is required',
  );
});

test('compare rejects a missing folder', async () => {
  const result = await run(['compare', join(head.dir, 'nowhere'), '--root', head.dir]);

  expect(result.status).toBe(2);
  expect(result.stderr).toContain('there is no folder');
});

test('compare rejects a folder without an index', async () => {
  const result = await run(['compare', join(head.dir, 'site'), '--root', head.dir]);

  expect(result.status).toBe(2);
  expect(result.stderr).toContain('site is not the checkout of an index: it has no folder components/');
});

function compare(env: Record<string, string> = {}) {
  return run(['compare', base.dir, '--root', head.dir, '--as-of', '2026-11-20'], env);
}

test('compare ends with 1 where a recorded line is gone', async () => {
  base.write('data/runs/2026.ndjson', '{"id":1}\n{"id":2}\n');
  head.write('data/runs/2026.ndjson', '{"id":1}\n');

  const result = await compare();

  expect(result.status).toBe(1);
  expect(result.stderr).toContain('error: data/runs/2026.ndjson: line 2 is not as it was recorded.');
  expect(result.stdout).toContain('The index says the same as before.');
});
