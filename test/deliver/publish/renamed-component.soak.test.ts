import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import { linesOf } from '../../harness/cli.ts';
import { addComponent, pathsIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { openPublication, releases, today, type TestPublication } from './publication.ts';

let publication: TestPublication;
const recorded = releases('2026.1', '2026.2').map((release) => ({ ...release, firstSeen: '2026-03-01' }));

beforeAll(async () => {
  publication = await openPublication();
  addComponent(publication.root, 'svc', recorded);
  await record();
  await publication.build();
  expect((await publication.publish()).status).toBe(0);
});

afterAll(() => publication.close());

const record = () => run(['record', '--root', publication.root.dir, '--as-of', today]);
const check = () => run(['check', '--root', publication.root.dir, '--as-of', today]);
const idsTold = async () => {
  const { changes } = JSON.parse(await publication.live('changes.json')) as ChangesFile;
  return changes.map(({ id }) => id).sort();
};

test('a renamed component stays under its old name, and the live site loses nothing', async () => {
  const { dir, out } = publication.root;
  const idsBefore = await idsTold();
  for (const folder of ['components', 'data']) rmSync(join(dir, folder, 'svc.json'));
  const journal = join(dir, 'data/journal');
  renameSync(join(journal, 'svc.ndjson'), join(journal, 'server.ndjson'));
  addComponent(publication.root, 'server', recorded, {
    title: 'The server',
    releaseChangelogUrl: { template: 'https://example.com/{version}' },
    renamedFrom: ['svc'],
  });

  await record();
  await publication.build();
  const checked = await check();
  const published = await publication.publish();

  expect([checked.stderr, checked.status]).toEqual(['', 0]);
  expect([published.stderr.includes('error'), published.status]).toEqual([false, 0]);
  const of = (name: string) => pathsIn(out).filter((path) => new RegExp(`(?:^|/)${name}\\.\\w+$`).test(path));
  expect(of('svc')).toEqual(of('server').map((path) => path.replace('server', 'svc')));
  expect(of('svc')).toContain('latest/svc.txt');
  for (const path of of('svc').filter((each) => !each.endsWith('.html')))
    expect(await publication.live(path)).toBe(await publication.live(path.replace('svc', 'server')));
  for (const list of ['index.json', 'all.json', 'status.json', 'sitemap.xml'])
    expect(readFileSync(join(out, list), 'utf8'), list).not.toContain('svc');
  // A reader who remembers the changes finds one new one, in the feed of either name.
  expect(idsBefore).toContainEqual(expect.stringMatching(/^svc\//));
  expect(await idsTold()).toEqual([...idsBefore, 'svc/3']);
  expect(await publication.live('feeds/svc.atom')).toContain('/feed/svc</id>');
  // Who asks Renovate for the old name gets the links of the new one.
  expect(await publication.live('renovate.json')).toMatch(/"server",\s+"svc"/);
  const page = await publication.live('svc.html');
  expect(page).toContain('<a href="server.html">The server</a>');
  expect(page).toMatch(/<link rel="canonical" href="[^"]*\/server\.html">/);
}, 120_000);

test('a name that another component has or had is refused, and so is a replacement that does not exist', async () => {
  const { root } = publication;
  addComponent(root, 'server', recorded, { renamedFrom: ['svc', 'edge-node', 'server'] });
  addComponent(root, 'tool', recorded, { renamedFrom: ['svc'], replacedBy: 'svc' });
  const refusals = [
    'error: components/server.json: renamedFrom[1]: expected a name of no other component; got "edge-node", which components/edge-node.json has',
    'error: components/server.json: renamedFrom[2]: expected a name of no other component; got "server", which this component already has',
    'error: components/tool.json: renamedFrom[0]: expected a name of no other component; got "svc", which components/server.json has',
    'error: components/tool.json: replacedBy: expected the name of another component; got "svc"',
  ];

  for (const result of [await check(), await publication.build()]) {
    expect(result.status).toBe(1);
    expect(linesOf(result.stderr).filter((line) => line.startsWith('error'))).toEqual(refusals);
  }

  addComponent(root, 'server', recorded, { renamedFrom: ['status', 'A'] });
  rmSync(join(root.dir, 'components/tool.json'));
  rmSync(join(root.dir, 'data/tool.json'));
  expect(linesOf((await check()).stderr)).toEqual([
    'error: components/server.json: renamedFrom[0]: expected a name that no published path has; got "status"',
    'error: components/server.json: renamedFrom[1]: expected the name of a component; got "A"',
  ]);
});
