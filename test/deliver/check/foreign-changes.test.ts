import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findForeignChanges } from '../../../src/deliver/check/foreign-changes.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { definition, makeRoot } from '../../harness/root.ts';

const decisions = '{"id":"a"}\n{"id":"b"}\n';
const files = {
  'components/svc.json': definition(),
  'data/svc.json': '{}',
  'data/journal/svc.ndjson': '{"id":1}\n',
  'data/freshness/svc.json': '{}',
  'data/statements/svc.ndjson': '{}',
  'data/runs/2026.ndjson': '{"run":1}\n',
  'data/held.json': '{"held":[]}',
  'data/decisions.ndjson': decisions,
};
const compareRoots = (after: string, before: object = files) =>
  findForeignChanges(
    openRoot(makeRoot(before as Record<string, unknown>), checkout),
    openRoot(after, checkout),
  ).map(({ subject, message }) => `${subject}: ${message}`);
const compare = (changes: Record<string, unknown>, before: object = files) => {
  const after = Object.entries({ ...before, ...changes });
  return compareRoots(
    makeRoot(Object.fromEntries(after.filter(([, content]) => content !== undefined))),
    before,
  );
};

test.each([
  ['a line of a run', { 'data/runs/2026.ndjson': '{"run":1}\n{"run":2}\n' }, 'is changed'],
  ['a new file of runs', { 'data/runs/9999.ndjson': '{"run":2}\n' }, 'is new'],
  ['a new event', { 'data/journal/svc.ndjson': '{"id":1}\n{"id":2}\n' }, 'is changed'],
  ['a journal of its own', { 'data/journal/edge.ndjson': '{"id":1}\n' }, 'is new'],
  ['another state', { 'data/freshness/svc.json': '{"sources":{}}' }, 'is changed'],
  ['a statement less', { 'data/statements/svc.ndjson': undefined }, 'is gone'],
  ['no list of what waits', { 'data/held.json': undefined }, 'is gone'],
  ['an empty one', { 'data/held.json': '{"held": []}' }, 'is changed'],
])('%s is an error, as only runs write it', (_, changes, state) => {
  const [file] = Object.keys(changes);

  expect(compare(changes)).toEqual([
    `${file}: ${state}. Only runs write it: take the version of the published branch`,
  ]);
});

test('definitions and data may change, and lines of decisions are added', () => {
  expect(
    compare({
      'components/edge.json': definition(),
      'data/svc.json': '{"releases":[]}',
      'data/decisions.ndjson': `${decisions}{"id":"c"}\n`,
    }),
  ).toEqual([]);
  expect(compare({ 'data/decisions.ndjson': decisions.replace('"b"', '"c"') })).toEqual([
    'data/decisions.ndjson: line 2 is not as it was recorded. Lines are only added: restore the file from git',
  ]);
  expect(compare({ 'data/decisions.ndjson': undefined })).toHaveLength(1);
});

test('the files of a renamed component may move, unchanged', () => {
  const moved = {
    'components/svc.json': undefined,
    'components/server.json': definition({ renamedFrom: ['svc'] }),
    'data/freshness/svc.json': undefined,
    'data/freshness/server.json': files['data/freshness/svc.json'],
    'data/journal/svc.ndjson': undefined,
    'data/journal/server.ndjson': files['data/journal/svc.ndjson'],
  };

  expect(compare(moved)).toEqual([]);
  expect(compare({ ...moved, 'data/journal/server.ndjson': '{"id":2}\n' })).toEqual([
    expect.stringContaining('data/journal/server.ndjson: is new'),
    expect.stringContaining('data/journal/svc.ndjson: is gone'),
  ]);
  expect(compare({ ...moved, 'components/server.json': definition() })).toHaveLength(4);
});

test('the files of a removed component may go, but not those of a renamed one', () => {
  const removed = {
    'components/svc.json': undefined,
    'data/svc.json': undefined,
    'data/freshness/svc.json': undefined,
    'data/journal/svc.ndjson': undefined,
    'data/statements/svc.ndjson': undefined,
  };
  const renamed = {
    'components/server.json': definition({ renamedFrom: ['svc'] }),
    'data/server.json': '{}',
  };

  expect(compare(removed)).toEqual([]);
  expect(compare({ ...removed, ...renamed })).toEqual([
    expect.stringContaining('data/freshness/svc.json: is gone'),
    expect.stringContaining('data/journal/svc.ndjson: is gone'),
    expect.stringContaining('data/statements/svc.ndjson: is gone'),
  ]);
});

test('before the first run, freshness comes with gathered data', () => {
  const { 'data/runs/2026.ndjson': _, ...first } = files;

  expect(compare({ 'data/freshness/svc.json': '{"sources":{}}' }, first)).toEqual([]);
});

test('a link in place of a file is an error', () => {
  const after = makeRoot(files);
  symlinkSync('/etc/passwd', join(after, 'data/runs/2027.ndjson'));

  expect(compareRoots(after)).toEqual([expect.stringContaining('data/runs/2027.ndjson: is new')]);
});
