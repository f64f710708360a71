import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { foldEdits } from '../../../src/core/model/edits.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { connect } from '../../harness/mcp-clients.ts';
import { addComponent, readJsonIn } from '../../harness/root.ts';

// Edits of an index, from the edit to its readers. Each test goes on where the one before ended.
const { root, served, git, commit, run, live, held } = openIndexInGit();
const names = ['agent', 'svc'];
const days = ['2023-01-10', '2024-06-10', '2025-01-10', '2025-04-10'];
const releases = ['2023.1', '2024.1', '2025.1', '2025.2'].map((version, index) => ({
  ...{ version, releaseTimestamp: days[index], timestampKind: 'published' },
}));
const liveDeprecated = () =>
  readJsonIn<ReleaseFile>(served, 'svc.json')
    .releases.filter(({ isDeprecated }) => isDeprecated)
    .map(({ version }) => version);
const editDefault = (months: number, line: number) => {
  root.configure({ defaults: { support: { policy: 'term', months, line } } });
  commit(`Support lines of ${line} for ${months} months`);
};

beforeAll(async () => {
  for (const name of names) {
    addComponent(root, name, releases);
  }
  editDefault(60, 2);
  expect((await run('daily', '2025-06-01')).status).toBe(0);
  editDefault(1, 1);
});

test('daily --dry-run plans: it names what the next day would hold, and changes nothing', async () => {
  const before = [git('rev-parse', 'HEAD'), live('SHA256SUMS')];

  const plan = await run('daily --dry-run', '2025-06-02');

  expect(plan.status, plan.stderr).toBe(1);
  expect(plan.stderr).toMatch(
    /^warning: agent, svc \(site\/site\.json#defaults\.support@[0-9a-f]{10}\): waits: .* npx release-index accept agent-[0-9a-f]{10} svc-[0-9a-f]{10}$/m,
  );
  expect(plan.stdout).toContain('plan: 2 would wait. Nothing was changed.');
  expect([git('rev-parse', 'HEAD'), live('SHA256SUMS')]).toEqual(before);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
});

test('an unknown stage is rejected before anything is planned', async () => {
  const plan = await run('daily --dry-run --stage half', '2025-06-02');

  expect([plan.status, plan.stderr]).toEqual([
    2,
    expect.stringContaining('--stage: expected one of build, publish; got "half"'),
  ]);
});

test('a folder that was removed is missing in a plan, too', async () => {
  rmSync(join(root.dir, 'data'), { recursive: true });

  const plan = await run('daily --dry-run', '2025-06-02');
  git('restore', 'data');

  expect(plan.status, plan.stderr).toBe(1);
  expect(plan.stderr).toContain('cannot compare with the last run');
});

test('an edit of a default is held as one cause, and applies once it is accepted', async () => {
  const edit = git('rev-parse', 'HEAD').slice(0, 10);
  const day = await run('daily', '2025-06-02');
  const causes = [`site/site.json#defaults.support@${edit}`];
  expect(day.status).toBe(1);
  expect(day.stderr).toContain(
    `error: ${causes[0]} (2 components: agent, svc): waits since 2025-06-02: the latest release would fall from 2025.2 to none`,
  );
  expect(git('show', '--name-only', '--format=', 'HEAD')).toContain('data/held.json');
  expect(git('status', '--porcelain')).toBe('');
  expect(held()).toMatchObject(names.map((component) => ({ component, causes })));
  expect(readJsonIn(root.dir, '.cache/daily.json')).toMatchObject({
    attention: [{ kind: 'held', cause: causes[0], components: names }],
  });
  expect(JSON.parse(live('status.json'))).toMatchObject({
    components: {
      svc: { state: 'held', troubles: [{ source: causes[0], heldSince: '2025-06-02' }] },
    },
  });
  for (const name of names) {
    expect(live(`latest/${name}.txt`)).toBe('2025.2\n');
  }

  const ids = held().map(({ id }) => id);
  const accepted = await run(`accept ${ids.join(' ')}`, '2025-06-03');
  expect(accepted.stdout).toContain(`accepted. ${causes[0]}: `);
  commit('Accept it');
  const taken = await run('daily', '2025-06-03');

  expect(taken.status, taken.stderr).toBe(0);
  expect(git('ls-files', 'data/held.json')).toBe('');
  expect(readJsonIn<{ tags?: object }>(served, 'svc.json').tags).toBeUndefined();
});

test('the events of one edit are one entry for readers, and documents hold all events', async () => {
  const changed = 'was edited: 6 release lines and 8 releases of agent, svc changed.';
  const { changes } = readJsonIn<ChangesFile>(served, 'changes.json');
  const edited = changes.filter(({ edit }) => edit !== undefined);

  expect(edited.map(({ type, component }) => `${type} ${component}`)).toEqual(
    expect.arrayContaining(['support-ended svc', 'corrected svc', 'deprecated agent']),
  );
  expect(foldEdits(changes).filter(({ type }) => type === 'edited')).toEqual([
    expect.objectContaining({ components: names, changes: edited }),
  ]);
  const client = await connect({ args: [served] }, 'modern');
  const { content } = await client.callTool('changes_since', { date: '2025-06-03' });
  await client.close();
  expect(content?.['changes']).toEqual([
    expect.objectContaining({
      type: 'edited',
      components: names,
      text: `defaults.support in site/site.json ${changed}`,
    }),
  ]);
  // A feed has the sentence as title and as text.
  for (const [path, times] of [
    ['feed.atom', 2],
    ['changes.html', 1],
  ] as const) {
    expect(live(path).split(`defaults.support in site/site.json ${changed}`), path).toHaveLength(
      times + 1,
    );
    expect(live(path), path).toContain('svc: 2024.1 is deprecated');
  }
  expect(live('changes.html')).toContain('<summary>Each change</summary>');
  expect(live('feed.atom').match(/<entry>/g)).toHaveLength(2);
  for (const path of ['feeds/svc.atom', 'svc.html']) {
    expect(live(path), path).toContain('was edited: 3 release lines and 4 releases changed.');
  }
});

test('a release line that ends by its age is no edit, also on the day of another edit', async () => {
  editDefault(18, 2);
  expect((await run('daily', '2025-06-04')).status).toBe(0);
  expect(liveDeprecated()).toEqual(['2023.1']);
  addComponent(root, 'svc', releases, { title: 'The server' });
  commit('Edit a title');

  const day = await run('daily', '2025-12-11');

  expect(day.status, day.stderr).toBe(0);
  expect(liveDeprecated()).toEqual(['2023.1', '2024.1']);
});

test('publish by hand holds an edit as well, and publishes the rest', async () => {
  addComponent(root, 'svc', releases, { support: { policy: 'term', months: 2 } });
  const agent = readJsonIn<object>(root.dir, 'components/agent.json');
  root.write('components/agent.json', { ...agent, title: 'Our agent' });
  await run('build', '2025-12-11');
  const uncommitted = await run('publish', '2025-12-11');
  const before = live('agent.html');
  commit('Edit two definitions');

  const dry = await run('publish --dry-run', '2025-12-11');
  const stateAfterDry = git('status', '--porcelain');
  const waiting = await run('publish', '2025-12-11');
  commit('Record the publication');
  const again = await run('publish', '2025-12-11');

  expect(uncommitted).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('error: components/svc.json: is not committed') as string,
  });
  expect(before).not.toContain('Our agent');
  expect([dry.status, waiting.status, again.status, stateAfterDry]).toEqual([1, 1, 1, '']);
  for (const { stderr } of [dry, waiting, again]) {
    expect(stderr).toMatch(
      /^warning: svc \(components\/svc\.json@[0-9a-f]{10}\): waits: the latest release would fall from 2025\.2 to none; 2 lines would end too early .* npx release-index accept svc-[0-9a-f]{10}$/m,
    );
  }
  expect(live('latest/svc.txt')).toBe('2025.2\n');
  expect(live('agent.html')).toContain('Our agent');
});

test('an edit stays held while time passes for the definition before it, and is taken once it is accepted', async () => {
  await run('daily', '2025-12-12');
  const checked = await run('check', '2026-07-11');
  const day = await run('daily', '2026-07-11');

  expect(checked.status, checked.stderr).toBe(0);
  expect(day.status).toBe(1);
  expect(day.stderr).toContain('waits since 2025-12-11');
  expect(liveDeprecated()).toEqual(['2023.1', '2024.1', '2025.1']);
  expect(live('latest/svc.txt')).toBe('2025.2\n');

  await run(`accept ${held()[0]!.id}`, '2026-07-11');
  const accepted = await run('publish', '2026-07-11');

  expect(accepted.status, accepted.stderr).toBe(0);
  expect(live('latest/svc.txt')).toBe('404');
});
