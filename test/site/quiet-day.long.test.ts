import { expect, test } from 'vitest';
import type { Component } from '../../src/core/schema/published.ts';
import { loadIndex } from '../../src/site/load-index.ts';
import { renderFiles } from '../harness/components.ts';
import { program } from '../harness/example.ts';
import { createFolder } from '../harness/index-folder.ts';
import { largeDay, writeLargeIndex } from '../harness/large-index.ts';

/** What changes with the day, or with any component. */
const daily =
  /^(SHA256SUMS|all\.json|renovate\.json|support\.ics|status\.json|(index|status)\.html|assets\/today\.css)$/;

test('on a quiet day of a large index, nothing changes but what names the day and what has another state', () => {
  const root = createFolder();
  writeLargeIndex(root);
  const render = (day: string) => renderFiles(loadIndex(root, day, program).index, root);
  const [before, after] = [render(largeDay), render('2026-08-23')];
  const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path));

  const states = (files: Map<string, string>, path: string) =>
    (JSON.parse(files.get(path)!) as Component).lines.map(({ state }) => state);
  const moved = changed.filter((path) => path.startsWith('details/'));
  for (const path of moved) {
    expect(states(after, path), path).not.toEqual(states(before, path));
  }
  const names = moved.map((path) => path.replace(/^details\/|\.json$/g, ''));
  const others = changed.filter(
    (path) => !daily.test(path) && !names.some((name) => path.includes(`${name}.`)),
  );
  expect(names).not.toEqual([]);
  expect([...after.keys()]).toEqual([...before.keys()]);
  // Each part has the states of 20 components.
  expect(others.filter((path) => !path.startsWith('search/'))).toEqual([]);
  expect(others.length).toBeLessThanOrEqual(names.length);
});
