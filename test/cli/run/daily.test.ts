import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ended } from '../../harness/cli.ts';
import {
  createFolder,
  listReleases,
  openOperatedIndex,
  type OperatedIndex,
} from '../../harness/operated-index.ts';

function readLatest(site: string, component: string): string {
  const text = readFileSync(join(site, `${component}.json`), 'utf8');
  return (JSON.parse(text) as { tags: { latest: string } }).tags.latest;
}

/** Without the progress. */
const listProblems = ({ stderr }: Ended) =>
  stderr.split('\n').filter((line) => /^(?:error|warning|notice): /.test(line));

const readRun = (index: OperatedIndex) => index.data.readRuns().at(-1)!;

test('two days: readers get what is new, and what waits fails the run that finds it', async () => {
  const index = await openOperatedIndex();
  const site = join(createFolder(), 'site');
  const releases = listReleases(3);
  index.define('agent', releases);
  index.define('tool', releases);
  index.commit();
  const before = index.git('rev-parse', 'HEAD');

  const first = await index.run(`daily --push --to ${site}`, '2026-11-01');
  const head = index.git('rev-parse', 'HEAD');

  expect(first.stdout.split('\n')).toEqual([
    'agent: added with 12 events',
    'tool: added with 12 events',
    `Committed ${head}, and pushed it.`,
    expect.stringMatching(/dist: 2 components, \d+ files for 2026-11-01\.$/),
    expect.stringMatching(/site: \d+ files, \d+ changed, 0 gone\. Published\.$/),
    '',
  ]);
  expect(listProblems(first)).toEqual([]);
  expect(first.status).toBe(0);
  expect(index.git('rev-parse', 'origin/main')).toBe(head);
  expect(readRun(index)).toMatchObject({ requested: ['daily'], commit: before });

  index.answers.set('agent', [...releases, { version: '9999.0' }]);
  index.answers.set('tool', [...releases, { version: '1.3.0' }]);
  const second = await index.run(`daily --push --to ${site}`, '2026-11-02');

  expect(second.stdout).toContain('tool 1.3.0: released\nCommitted ');
  expect(second.stdout).toContain('Published.');
  expect(listProblems(second)).toEqual([
    expect.stringMatching(
      /^error: agent: waits since 2026-11-02: .*9999\.0.* If this is right: npx release-index accept agent-\w{10}$/,
    ),
  ]);
  expect(second.status).toBe(1);
  expect([readLatest(site, 'agent'), readLatest(site, 'tool')]).toEqual(['1.2.3', '1.3.0']);
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
