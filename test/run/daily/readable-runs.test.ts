import { expect, onTestFinished, test } from 'vitest';
import { json } from '../../harness/imitated-upstream.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, definition } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { answer, serve, startUpstream } from '../../harness/upstream.ts';

const long = 'x'.repeat(1900);
const shortLink = 'https://example.com/a';
const released = (version: string, changelogUrl = shortLink) => ({
  version,
  releaseTimestamp: '2026-01-01T00:00:00Z',
  changelogUrl,
});

test.each([
  ['has a longer link to its changes', [released('1.0', `https://example.com/${long}`)]],
  ['waits', [released('1.0'), released('9026.1')]],
  ['has a source that fails', undefined],
])('a release at the longest of addresses that %s stops no later day', async (_, releases) => {
  let listed: readonly object[] | undefined = [released('1.0')];
  const upstream = await startUpstream(() => (request, response) => {
    if (listed === undefined) {
      return answer(response, 404, 'text/plain', 'not here');
    }

    serve(new Map([[`/${long}`, json({ releases: listed })]]))(request, response);
  });
  onTestFinished(() => upstream.close());
  const index = openIndexInGit();
  const sources = [{ datasource: 'json', url: `${upstream.url}${long}` }];
  index.root.write('components/svc.json', definition({ sources }));
  index.commit();
  const first = await index.run('daily', '2026-05-20');
  listed = releases;

  const second = await index.run('daily', '2026-05-21');
  const third = await index.run('daily', '2026-05-22');
  const check = await index.run('check', '2026-05-22');

  const errors = [first, second, third, check].flatMap(({ stderr }) =>
    stderr.split('\n').filter((line) => line.includes('expected at most')),
  );
  expect(errors).toEqual([]);
  expect([first.status, third.status, check.status]).toEqual([0, 0, 0]);
});

test.each([
  ['white space', ' '],
  ['two lines', 'two\nlines'],
  ['a long text', long],
])('a project whose name is %s makes no line of runs that cannot be read', async (_, name) => {
  const { root, commit } = openIndexInGit();
  addComponent(root, 'svc', [{ version: '1.0', releaseTimestamp: '2026-01-01' }]);
  commit();
  const options = ['--root', root.dir, '--as-of', '2026-05-20'];
  const env = { PATH: process.env['PATH']!, npm_package_name: name };

  const runs = [
    await runHere(['record', ...options], env),
    await runHere(['check', ...options], env),
  ];

  expect(runs.map(({ status }) => status)).toEqual([0, 0]);
});
