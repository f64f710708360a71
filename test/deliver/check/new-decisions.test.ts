import { expect, test } from 'vitest';
import { describeNewDecisions } from '../../../src/deliver/check/new-decisions.ts';
import { warning } from '../../../src/core/schemas/finding.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { makeRoot } from '../../harness/root.ts';

const toLines = (...values: object[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
const release = (id: number, at: string, version: string) => ({
  ...{ id, at, type: 'released', on: '2026-11-19', line: '1', version },
});

test.each([
  ['of a renamed component, by its first name', 'foo', 2500, 0],
  ['beyond what a live site can have', 'foo', 2501, 1],
  ['of a component without a journal', 'bar', 1001, 1],
])('the lost events of a decision are plausible %s: %s/%d', (_, component, id, problems) => {
  const before = makeRoot({
    'data/journal/bar.ndjson': toLines(
      { ...release(1, '2026-11-19T00:00:00.000Z', '1.0'), component: 'foo' },
      release(1500, '2026-11-20T00:00:00.000Z', '1.1'),
    ),
  });
  const history = { id: 'history', at: '2026-11-21T00:00:00.000Z', by: 'Jane' };
  const after = makeRoot({
    'data/decisions.ndjson': toLines({ ...history, published: { [component]: id } }),
  });

  const { findings } = describeNewDecisions(
    openRoot(before, checkout),
    openRoot(after, checkout),
    {},
    { acceptable: new Map(), findings: [] },
  );

  expect(findings).toHaveLength(problems);
});

test('a decision is not called unneeded where it is unknown what waits', () => {
  const decision = { id: 'svc-0123456789', at: '2026-11-21T00:00:00.000Z', by: 'Jane' };
  const before = openRoot(makeRoot({}), checkout);
  const after = openRoot(makeRoot({ 'data/decisions.ndjson': toLines(decision) }), checkout);
  const unknown = { acceptable: new Map(), findings: [warning('data/runs', 'git lacks a commit')] };

  const { findings } = describeNewDecisions(before, after, {}, unknown);

  expect(findings.map(({ message }) => message)).toEqual([
    'accepts svc-0123456789, but it is unknown what waits',
  ]);
});
