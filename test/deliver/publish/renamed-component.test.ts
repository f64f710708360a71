import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import { linesOf } from '../../harness/cli.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, pathsIn, readJsonIn } from '../../harness/root.ts';
import { releases, today } from './publication.ts';

const { root, served, commit, run, live } = openIndexInGit();
const recorded = releases('2026.1', '2026.2').map((release) => ({
  ...release,
  firstSeen: '2026-03-01',
}));
const publishedIds = () =>
  readJsonIn<ChangesFile>(served, 'changes.json')
    .changes.map(({ id }) => id)
    .sort();

beforeAll(async () => {
  addComponent(root, 'svc', recorded);
  addComponent(root, 'edge-node', [{ version: '1.0' }]);
  commit();
  expect((await run('daily', today)).status).toBe(0);
});

test('a renamed component stays under its old name, and the live site loses nothing', async () => {
  const before = publishedIds();
  for (const folder of ['components', 'data']) {
    rmSync(join(root.dir, folder, 'svc.json'));
  }
  const journal = join(root.dir, 'data/journal');
  renameSync(join(journal, 'svc.ndjson'), join(journal, 'server.ndjson'));
  addComponent(root, 'server', recorded, {
    title: 'The server',
    releaseChangelogUrl: { template: 'https://example.com/{version}' },
    renamedFrom: ['svc'],
  });
  commit();

  const { status, stderr } = await run('daily', today);

  expect(status, stderr).toBe(0);
  const filesOf = (name: string) =>
    pathsIn(served).filter((path) => new RegExp(`(?:^|/)${name}\\.\\w+$`).test(path));
  expect(filesOf('svc')).toEqual(
    filesOf('server')
      .map((path) => path.replace('server', 'svc'))
      .sort(),
  );
  expect(filesOf('svc')).toContain('latest/svc.txt');
  for (const path of filesOf('svc').filter((each) => !each.endsWith('.html'))) {
    expect(live(path)).toBe(live(path.replace('svc', 'server')));
  }
  // status.json names the earlier name as an alias.
  for (const list of ['index.json', 'all.json', 'sitemap.xml']) {
    expect(live(list), list).not.toContain('svc');
  }
  // Readers who remember the changes find a single new change, in the feeds of both names.
  expect(before).toContainEqual(expect.stringMatching(/^svc\//));
  expect(publishedIds()).toEqual([...before, 'svc/3']);
  expect(live('feeds/svc.atom')).toContain('/feed/svc</id>');
  expect(live('svc.html')).toContain('<a href="server.html">The server</a>');
  expect(live('svc.html')).toMatch(/<link rel="canonical" href="[^"]*\/server\.html">/);
});

const ofServer = 'error: components/server.json: renamedFrom';
const ofTool = 'error: components/tool.json: ';

test.each([
  [
    ['svc', 'edge-node', 'server'],
    [
      `${ofServer}[0]: expected a name of no other component; got "svc", which components/tool.json has`,
      `${ofServer}[1]: expected a name of no other component; got "edge-node", which components/edge-node.json has`,
      `${ofServer}[2]: expected each former name once, without the present one; got "server"`,
      `${ofTool}renamedFrom[0]: expected a name of no other component; got "svc", which components/server.json has`,
      `${ofTool}replacedBy: expected the name of another component; got "svc"`,
    ],
  ],
  [
    ['status', 'A', 'x'.repeat(201)],
    [
      `${ofTool}replacedBy: expected the name of another component; got "svc"`,
      `${ofServer}[0]: expected a name that no published path and no device of Windows has; got "status"`,
      `${ofServer}[1]: expected the name of a component; got "A"`,
      `${ofServer}[2]: expected the name of a component; got "${'x'.repeat(116)}…`,
    ],
  ],
])(
  'the earlier names %j are rejected, and a replacement by an earlier name',
  async (names, errors) => {
    addComponent(root, 'server', recorded, { renamedFrom: names });
    addComponent(root, 'tool', recorded, { renamedFrom: ['svc'], replacedBy: 'svc' });

    const { status, stderr } = await run('build', today);

    expect(status).toBe(1);
    expect(linesOf(stderr).filter((line) => line.startsWith('error'))).toEqual(errors);
  },
);
