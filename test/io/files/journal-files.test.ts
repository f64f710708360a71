import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJournal, readLastWaits } from '../../../src/io/files/journal-files.ts';
import { makeRoot } from '../../harness/root.ts';

const rootOf = (files: Record<string, string>) => {
  const dir = makeRoot(files);
  return { dir, siteDir: '', siteDirs: [] };
};

test('versions still wait if the last line of the runs is cut off', () => {
  const waits = [{ component: 'svc', kind: 'change', since: '2026-01-02', versions: ['1.0'] }];
  const lastRun = JSON.stringify({ at: '2026-01-02T00:00:00Z', waits });
  const root = rootOf({ 'data/runs/2026.ndjson': `{"waits":[]}\n${lastRun}\n{"at":"2026-0` });

  expect(readLastWaits(root)).toEqual(waits);
});
