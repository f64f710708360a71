import { expect, onTestFinished, test } from 'vitest';
import { json } from '../../harness/imitated-upstream.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, definition } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

const long = 'x'.repeat(1900);
const shortLink = 'https://example.com/a';
const released = (version: string, changelogUrl = shortLink) => ({
  version,
  releaseTimestamp: '2026-01-01T00:00:00Z',
  changelogUrl,
});

test('a release at the longest of addresses stops no later day when it has a longer link, waits or fails', async () => {
  const later: Readonly<Record<string, readonly object[] | undefined>> = {
    linked: [released('1.0', `https://example.com/${long}`)],
    waits: [released('1.0'), released('9026.1')],
    fails: undefined,
  };
  const names = Object.keys(later);
  const pathTo = (name: string) => name + long.slice(name.length);
  let listed = Object.fromEntries(names.map((name) => [name, [released('1.0')]])) as typeof later;
  const upstream = await startUpstream(() => (request, response) => {
    const answers = names.flatMap((name) => {
      const { [name]: about } = listed;
      return about ? [[`/${pathTo(name)}`, json({ releases: about })] as const] : [];
    });
    serve(new Map(answers))(request, response);
  });
  onTestFinished(() => upstream.close());
  const index = openIndexInGit();
  for (const name of names) {
    const sources = [{ datasource: 'json', url: `${upstream.url}${pathTo(name)}` }];
    index.root.write(`components/${name}.json`, definition({ sources }));
  }
  index.commit();
  const first = await index.run('daily', '2026-05-20');
  listed = later;

  const second = await index.run('daily', '2026-05-21');
  const third = await index.run('daily', '2026-05-22');
  const check = await index.run('check', '2026-05-22');

  const errors = [first, second, third, check].flatMap(({ stderr }) =>
    stderr.split('\n').filter((line) => line.includes('expected at most')),
  );
  expect(errors).toEqual([]);
  expect([first.status, second.status, third.status, check.status]).toEqual([0, 1, 0, 0]);
  expect(third.stderr).toContain('warning: fails (json): GET ');
  expect(index.held()).toMatchObject([{ component: 'waits' }]);
  expect(index.live('details/linked.json')).toContain(`https://example.com/${long}`);
});

test.each([
  ['white space', ' '],
  ['two lines', 'two\nlines'],
  ['a long text', long],
])('words of npm that are %s make no line of runs that cannot be read', async (_, name) => {
  const { root, commit } = openIndexInGit();
  addComponent(root, 'svc', [{ version: '1.0', releaseTimestamp: '2026-01-01' }]);
  commit();
  const options = ['--root', root.dir, '--as-of', '2026-05-20'];
  const npm = { npm_package_name: name, npm_config_user_agent: `npm/1${name}` };
  const env = { PATH: process.env['PATH']!, ...npm };

  const runs = [
    await runHere(['record', ...options], env),
    await runHere(['check', ...options], env),
  ];

  expect(runs.map(({ status }) => status)).toEqual([0, 0]);
});
