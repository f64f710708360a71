import { expect, test } from 'vitest';
import { findChangedLines } from '../../../src/deliver/check/appended-lines.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { makeRoot } from '../../harness/root.ts';

const first = '{"id":1}\n{"id":2}\n';
const files = { 'data/journal/svc.ndjson': first, 'data/runs/2026.ndjson': '{"run":1}\n' };
const compare = (after: Record<string, string>) =>
  findChangedLines(openRoot(makeRoot(files), checkout), openRoot(makeRoot(after), checkout)).map(
    ({ subject, message }) => `${subject}: ${message}`,
  );

test('lines may be appended, and a journal may move with its component', () => {
  expect(compare({ ...files, 'data/journal/svc.ndjson': `${first}{"id":3}\n` })).toEqual([]);
  expect(
    compare({ 'data/journal/server.ndjson': first, 'data/runs/2026.ndjson': '{"run":1}\n' }),
  ).toEqual([]);
  expect(compare({ ...files, 'data/runs/2026.ndjson': '{"run":1}\n{"run":2}\n' })).toEqual([
    expect.stringContaining(
      'data/runs/2026.ndjson: has new lines. Only the run that publishes adds them',
    ),
  ]);
});

test('a recorded line that is changed or gone is an error, with its place', () => {
  expect(
    compare({ ...files, 'data/journal/svc.ndjson': first.replace('"id":2', '"id":9') }),
  ).toEqual([
    'data/journal/svc.ndjson: line 2 is not as it was recorded. Lines are never changed or removed: restore the file from git',
  ]);
  expect(compare({ 'data/journal/svc.ndjson': first })).toEqual([
    expect.stringContaining('data/runs/2026.ndjson: line 1'),
  ]);
});
