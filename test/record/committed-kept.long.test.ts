/** Commits a forged answer of a source, which a run on another machine pulls. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { links } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import { openOperatedIndex } from '../harness/operated-index.ts';

const [start, next] = ['2026-03-01', '2026-03-02'] as const;

test('a pulled cache file stops daily before the first request, and the printed command is enough', async () => {
  let versions = ['1.0.0', '1.1.0'];
  let requests = 0;
  // The source answers 304 to a request with the ETag of its list.
  const url = await listen((request, response) => {
    requests += 1;
    const headers = { 'content-type': 'application/json', etag: '"list-1"' };
    if (request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const releases = versions.map((version) => ({ version }));
    response.writeHead(200, headers).end(JSON.stringify({ releases }));
  });
  const index = await openOperatedIndex();
  index.write('components/svc.json', {
    title: 'svc',
    ...links,
    sources: [{ datasource: 'json', url: `${url}/svc.json` }],
  });
  index.commit();
  index.git('push', '--quiet');

  // Commits a cached answer with a version that the source does not list.
  const other = index.clone();
  versions = [...versions, '9.9.9'];
  expect(await other.run('plan', start)).toMatchObject({ status: 0 });
  versions = versions.slice(0, -1);
  other.git('add', '--force', '.cache/http');
  other.git('commit', '--quiet', '--message=Speed up the first run');
  other.git('push', '--quiet');
  requests = 0;

  const { stderr, status } = await index.commitDay(start, true);

  const [, file] = /has 1 committed file \((\.cache\/http\/[\da-f]{64})\)/.exec(stderr) ?? [];
  const command = 'git rm -rf .cache && git commit --message="Delete .cache"';
  expect([status, stderr]).toEqual([
    1,
    `error: .cache has 1 committed file (${file}), which the program would use as its own. Delete it in a commit: ${command}\n`,
  ]);
  expect(requests).toBe(0);

  execFileSync('sh', ['-c', command], { cwd: index.root, stdio: 'ignore' });
  expect(await index.run('daily --push --skip-publish', next)).toMatchObject({ status: 0 });

  expect(JSON.parse(index.read('dist/svc.json'))).toMatchObject({
    releases: [{ version: '1.0.0' }, { version: '1.1.0' }],
  });
  expect(await index.run('check', next)).toMatchObject({ status: 0 });
});
