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
    'svc: 2026.2: deprecated (before: not deprecated). broken.',
    'svc: 2026.2: the release day was 2026-02-01 and is 2026-02-03 now.',
    'svc: the latest release is 2026.1, instead of 2026.2.',
  ]);
});

test('compare names each end of support and each verdict that moves, with both days', async () => {
  const releases = published({ '2024.1': '2024-12-01', '2026.1': '2026-01-01' });
  addComponent(base, 'svc', releases, { support: { policy: 'term', months: 18 } });
  addComponent(head, 'svc', releases, { support: { policy: 'term', months: 30 } });

  const lines = linesOf((await compare()).stdout);

  expect(lines).toEqual([
    'svc: release line 2024.1: support ends 2027-06-01 (before: 2026-06-01).',
    'svc: release line 2026.1: support ends 2028-07-01 (before: 2027-07-01).',
    'svc: 2024.1: not deprecated (before: deprecated from 2026-06-01 on).',
  ]);
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
    'svc: 1.0, 1.1: deprecated from 2027-02-01 on (before: deprecated from 2027-01-01 on). Old.',
    'svc: 2.0: not deprecated (before: deprecated from 2027-03-01 on).',
    'svc: 3.0: deprecated from 2027-05-01 on (before: not deprecated). Old.',
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

test('compare names every release of many, and the end of each of their lines', async () => {
  const days = Array.from({ length: 40 }, (_, index) => [`1.${index}`, '2026-01-01'] as const);
  const releases = published(Object.fromEntries(days));
  addComponent(base, 'svc', releases);
  addComponent(head, 'svc', releases, { support: { policy: 'term', months: 2 } });

  const lines = linesOf((await compare()).stdout);

  expect(lines.filter((line) => line.endsWith('ends 2026-03-01 (before: no end).'))).toHaveLength(
    40,
  );
  const versions = days.map(([version]) => version).join(', ');
  expect(lines).toContain(
    `svc: ${versions}: deprecated from 2026-03-01 on (before: not deprecated).`,
  );
});

test.each([
  ['a line of a run', 'data/runs/2026.ndjson', '{"id":1}\n{"id":2}\n'],
  ['a new file of runs', 'data/runs/9999.ndjson', '{"id":2}\n'],
  ['an event', 'data/journal/edge.ndjson', '{"id":2}\n'],
  ['what waits', 'data/held.json', '{"held":[]}'],
])('compare ends with 1 where a person added %s', async (_, file, content) => {
  for (const root of [base, head]) {
    root.write('data/runs/2026.ndjson', '{"id":1}\n');
  }
  head.write(file, content);

  const { status, stdout, stderr } = await compare();

  expect(status).toBe(1);
  expect(stderr).toMatch(new RegExp(`error: ${file}: is (?:new|changed)\\. Only runs write it`));
  expect(stdout).toBe('The index says the same as before.\n');
});

const waiting = {
  id: 'svc-0123456789',
  component: 'svc',
  kind: 'component',
  since: '2026-11-19',
  causes: ['components/svc.json'],
  reason: '5 of 8 releases would be deprecated',
  consequences: 5,
  examples: ['2026.1 would be deprecated'],
};
const decided = { at: '2026-11-20T00:00:00.000Z', by: 'Jane' };
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test('compare prints what new decisions do', async () => {
  for (const root of [base, head]) {
    root.write('data/held.json', { held: [waiting] });
  }
  head.write('data/decisions.ndjson', lines({ id: waiting.id, ...decided }));

  const { status, stdout } = await compare();

  expect(status).toBe(0);
  expect(linesOf(stdout)).toEqual([
    'accepts svc-0123456789: components/svc.json: 5 of 8 releases would be deprecated (Jane)',
  ]);
});

test.each<[string, object, string]>([
  [
    'of what does not wait',
    { id: 'svc-9876543210', ...decided },
    'but no change with this id waits',
  ],
  ['without a name', { id: waiting.id, at: decided.at }, 'line 1: by: expected string'],
  [
    'of a history that needs none',
    { id: 'history', ...decided, commit: '0'.repeat(40) },
    'accepts history, but no change with this id waits',
  ],
])('compare ends with 1 at a decision %s', async (_, decision, problem) => {
  for (const root of [base, head]) {
    root.write('data/held.json', { held: [waiting] });
  }
  head.write('data/decisions.ndjson', lines(decision));

  const { status, stderr } = await compare();

  expect(status).toBe(1);
  expect(stderr).toContain(`error: data/decisions.ndjson: `);
  expect(stderr).toContain(problem);
});
