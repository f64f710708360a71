import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder, listReleases, openOperatedIndex } from '../../harness/operated-index.ts';

test('a first day says what it recorded, committed and published', async () => {
  const index = await openOperatedIndex();
  const site = join(createFolder(), 'site');
  ['agent', 'tool'].forEach((name) => index.define(name, listReleases(3)));
  index.commit();
  const before = index.git('rev-parse', 'HEAD');

  const first = await index.run(`daily --push --to ${site}`, '2026-11-01');
  const head = index.git('rev-parse', 'HEAD');

  expect(first.stdout.split('\n')).toEqual([
    'agent: added with 12 events',
    'tool: added with 12 events',
    `Committed ${head}, and pushed it.`,
    expect.stringMatching(/^Built .*dist\/: 2 components in \d+ files as of 2026-11-01\.$/),
    expect.stringMatching(/site: \d+ files, \d+ changed, 0 gone\. Published\.$/),
    '',
  ]);
  expect(first.stderr).not.toMatch(/^(?:error|warning|notice): /m);
  expect(first.status).toBe(0);
  expect(index.git('rev-parse', 'origin/main')).toBe(head);
  expect(index.data.readRuns().at(-1)).toMatchObject({ requested: ['daily'], commit: before });
});

test('a folder of other files is refused before anything is recorded', async () => {
  const index = await openOperatedIndex();
  index.define('agent', listReleases(1));
  index.commit();

  const { status, stderr } = await index.run(`daily --to ${index.root}`, '2026-11-01');

  expect(stderr).toContain('holds other files than the site of an index. Nothing was sent.');
  expect(status).toBe(1);
  expect(index.data.readRuns()).toEqual([]);
});
