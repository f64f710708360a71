import { expect, it } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import type { Change } from '../../../src/decide/change.ts';
import { changesOf } from '../../../src/decide/changes.ts';
import { openChangeLog } from '../../../src/site/render/change-log.ts';
import { componentOf } from './sites.ts';

it('changes.json holds the newest 1,000 of all components, and the years hold all, newest first', () => {
  const log = openChangeLog();
  const all: Change[] = [];
  for (const name of ['a', 'b', 'c']) {
    const releases = Array.from({ length: 700 }, (_, index) => ({
      version: `1.${index}`,
      firstSeen: addDays('2024-06-01', index),
    }));
    const changes = changesOf(componentOf(releases, {}, { name }));
    log.add(changes);
    all.push(...changes);
  }

  const files = Array.from(log.yearFiles(), ({ path, body }) => ({
    path,
    changes: (JSON.parse(String(body)) as { changes: Change[] }).changes,
  }));
  files.sort((a, b) => (a.path < b.path ? 1 : -1));
  const told = files.flatMap(({ changes }) => changes);
  expect(files.map(({ path }) => path)).toEqual([
    'changes/2026.json',
    'changes/2025.json',
    'changes/2024.json',
  ]);
  expect(told).toHaveLength(all.length);
  expect(told.map(({ on }) => on)).toEqual(
    all
      .map(({ on }) => on)
      .sort()
      .reverse(),
  );
  expect(log.newest()).toEqual(told.slice(0, 1000));
});
