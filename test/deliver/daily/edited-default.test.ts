import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldEdits } from '../../../src/core/edits.ts';
import type { HeldFile } from '../../../src/core/schemas/held.ts';
import type { PublishedChange } from '../../../src/core/schemas/published/changes-file.ts';
import { connect } from '../../harness/mcp-clients.ts';
import {
  addComponent,
  createRoot,
  readJsonIn,
  removeTemporaryFolders,
  temporaryFolder,
  type TestRoot,
} from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

// One edit of a default, from the edit to its readers.
let root: TestRoot;
const served = temporaryFolder();
const names = ['agent', 'svc'];

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root.dir, ...args], { encoding: 'utf8' }).trim();
const verb = (line: string, day: string) => {
  const to = /^(?:daily|plan)/.test(line) ? ['--to', served] : [];
  const env = { PATH: process.env['PATH']!, NO_COLOR: '1', CI: '1' };
  return runHere([...line.split(' '), '--root', root.dir, '--as-of', day, ...to], env);
};
const live = (path: string) => readFileSync(join(served, path), 'utf8');
const editDefault = (months: number, line: number) => {
  const config = readJsonIn<object>(root.dir, 'site/site.json');
  root.write('site/site.json', { ...config, defaults: { support: { policy: 'term', months, line } } });
  git('add', '--all');
  git('commit', '--quiet', '--message', `Support lines of ${line} for ${months} months`);
};
const heldId = () => readJsonIn<HeldFile>(root.dir, 'data/held.json').held[0]!.id;
const releases = ['2024.1', '2025.1', '2026.1', '2026.2'].map((version, index) => ({
  version,
  releaseTimestamp: ['2024-01-10', '2025-06-10', '2026-01-10', '2026-04-10'][index],
  timestampKind: 'published',
}));

beforeAll(async () => {
  root = createRoot({ releasesUrl: 'https://releases.example.org', hosting: 'files' });
  for (const name of names) addComponent(root, name, releases);
  root.write('.gitignore', 'dist/\n.cache/\n');
  git('init', '--quiet');
  git('config', 'user.name', 'Jane');
  git('config', 'user.email', 'jane@example.com');
  editDefault(60, 2);
  expect((await verb('daily', '2026-06-01')).status).toBe(0);
  editDefault(1, 1);
});

afterAll(removeTemporaryFolders);

test.each(['plan', 'daily --dry-run'])(
  '%s names what the next day would hold, and changes nothing',
  async (line) => {
    const before = [git('rev-parse', 'HEAD'), live('SHA256SUMS')];

    const plan = await verb(line, '2026-06-02');

    expect(plan.status, plan.stderr).toBe(1);
    expect(plan.stderr).toMatch(
      /^warning: site\/site\.json: defaults\.support of agent, svc: held: .* of 2 components .* npx release-index accept [0-9a-f]{10}$/m,
    );
    expect(plan.stdout).toContain('plan: 1 held. Nothing was changed.');
    expect([git('rev-parse', 'HEAD'), live('SHA256SUMS')]).toEqual(before);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  },
);

test('an edit of a default is held as one cause, and counts once it is accepted', async () => {
  const held = await verb('daily', '2026-06-02');

  expect(held.status).toBe(1);
  expect(readJsonIn<HeldFile>(root.dir, 'data/held.json').held).toEqual([
    expect.objectContaining({ cause: 'site/site.json', key: 'support', components: names }),
  ]);
  for (const name of names) expect(live(`latest/${name}.txt`)).toBe('2026.2\n');

  const accepted = await verb(`accept ${heldId()}`, '2026-06-03');
  expect(accepted.stdout).toContain('accepted. site/site.json: ');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Accept it');
  const taken = await verb('daily', '2026-06-03');

  expect(taken.status, taken.stderr).toBe(0);
  expect(git('ls-files', 'data/held.json')).toBe('');
  expect(readJsonIn<{ tags?: object }>(served, 'svc.json').tags).toBeUndefined();
});

test('its many events are one entry to readers, and documents hold all of them', async () => {
  const changed = 'was edited: 6 release lines and 8 releases of agent, svc changed.';
  const { changes } = readJsonIn<{ changes: PublishedChange[] }>(served, 'changes.json');
  const edited = changes.filter(({ edit }) => edit !== undefined);
  const entries = foldEdits(changes).filter(({ type }) => type === 'edited');

  expect(edited.map(({ type, component }) => `${type} ${component}`)).toEqual(
    expect.arrayContaining(['support-ended svc', 'corrected svc', 'deprecated agent']),
  );
  const client = await connect({ args: [served] }, 'modern');
  const { content } = await client.callTool('changes_since', { date: '2026-06-03' });
  await client.close();

  expect(content?.['changes']).toEqual([
    expect.objectContaining({
      type: 'edited',
      components: names,
      text: `defaults.support in site/site.json ${changed}`,
    }),
  ]);
  expect(entries).toEqual([expect.objectContaining({ components: names, changes: edited })]);
  // A feed has it as title and as text.
  for (const [path, times] of [
    ['feed.atom', 2],
    ['changes.html', 1],
  ] as const) {
    const text = live(path);
    expect(text.split(`defaults.support in site/site.json ${changed}`), path).toHaveLength(times + 1);
    expect(text, path).toContain('svc: 2025.1 is deprecated');
  }
  expect(live('feed.atom').match(/<entry>/g)).toHaveLength(3);
  for (const path of ['feeds/svc.atom', 'svc.html'])
    expect(live(path), path).toContain('was edited: 3 release lines and 4 releases changed.');
});
