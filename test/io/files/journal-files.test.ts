import { expect, test } from 'vitest';
import { readJournal } from '../../../src/io/files/journal-files.ts';
import { readLastWaits } from '../../../src/io/files/run-files.ts';
import { makeRoot } from '../../harness/root.ts';

const rootOf = (path: string, text: string) => ({
  dir: makeRoot({ [path]: text }),
  siteDir: '',
  siteDirs: [],
});

test('versions still wait if the last line of the runs is cut off', () => {
  const wait = {
    id: 'svc-0123456789',
    component: 'svc',
    kind: 'flood',
    since: '2026-01-02',
    causes: ['npm'],
    reason: 'more versions than usual',
    versions: ['1.0'],
  };
  const runs = `{"waits":[]}\n${JSON.stringify({ waits: [wait] })}\n{"at":"2026-0`;

  expect(readLastWaits(rootOf('data/runs/2026.ndjson', runs))).toEqual([wait]);
});

test('an event on an advisory without its id is a problem of the journal', () => {
  const event = {
    ...{ id: 1, at: '2026-01-02T00:00:00.000Z', on: '2026-01-02', component: 'svc' },
    type: 'advisory-published',
  };
  const root = rootOf('data/journal/svc.ndjson', `${JSON.stringify(event)}\n`);

  expect(readJournal(root, 'svc').findings).toMatchObject([
    { message: expect.stringContaining('"advisory-published" lacks "advisory"') },
  ]);
});
