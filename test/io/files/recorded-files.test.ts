import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  countEvents,
  readHeld,
  readJournal,
  readLastWaits,
} from '../../../src/io/files/recorded-files.ts';
import { readLines } from '../../../src/io/files/read-lines.ts';
import { runWith } from '../../harness/site.ts';
import { makeRoot, temporaryFolder } from '../../harness/root.ts';

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
  const lines = [runWith([]), runWith([wait])].map((run) => JSON.stringify(run));
  const runs = `${lines.join('\n')}\n{"at":"2026-0`;

  expect(readLastWaits(rootOf('data/runs/2026.ndjson', runs))).toEqual([wait]);
});

test('a damaged journal has no number of events', () => {
  const root = rootOf('data/journal/svc.ndjson', 'damaged\n');

  expect(() => countEvents(root, '2026-06-01')).toThrow(
    'data/journal/svc.ndjson: line 1: not JSON',
  );
  expect(countEvents({ ...root, leftOut: new Set(['svc']) }, '2026-06-01')).toBe(0);
});

test('the file of held changes is written anew after an unfinished merge', () => {
  const { findings } = readHeld(rootOf('data/held.json', '<<<<<<< HEAD\n'));

  expect(findings).toMatchObject([
    { message: expect.stringMatching(/then run: npx release-index record$/) },
  ]);
});

test('a complete last line that lacks its line end must be UTF-8 as well', () => {
  const dir = temporaryFolder();
  const readTitle = (bytes: Uint8Array) => {
    writeFileSync(join(dir, 'x.ndjson'), bytes);
    return readLines(join(dir, 'x.ndjson'), 'x.ndjson', z.object({ title: z.string() }));
  };
  const line = Buffer.from('{"title":"é"}');

  expect(readTitle(line).value?.values).toEqual([{ title: 'é' }]);
  expect(readTitle(line.filter((byte) => byte !== 0xa9)).findings).toMatchObject([
    { message: expect.stringContaining('the file is not UTF-8') },
  ]);
  expect(readTitle(line.subarray(0, -3)).findings).toMatchObject([
    { level: 'warning', message: expect.stringContaining('line 1 is cut off') },
  ]);
});

test.each([
  [{ type: 'advisory-published' }, '"advisory-published" lacks "advisory"'],
  [{ type: 'deprecated', rule: 'upstream' }, '"deprecated" lacks "version" or "line"'],
  [{ type: 'restored' }, '"restored" lacks "version" or "line"'],
])(
  'the event %j, which does not say what it is about, is a problem of the journal',
  (keys, got) => {
    const event = {
      ...{ id: 1, at: '2026-01-02T00:00:00.000Z', on: '2026-01-02', component: 'svc' },
      ...keys,
    };
    const root = rootOf('data/journal/svc.ndjson', `${JSON.stringify(event)}\n`);

    expect(readJournal(root, 'svc').findings).toMatchObject([
      { message: expect.stringContaining(got) },
    ]);
  },
);
