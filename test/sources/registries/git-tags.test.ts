import { execFileSync, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { ask } from '../../harness/ask-source.ts';
import { packets } from '../../harness/imitated-git-hosts.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { text } from '../../harness/upstream.ts';

const source = (url: string) => ({ datasource: 'git-tags', packageName: `${url}group/agent.git` });
const list = '/group/agent.git/info/refs?service=git-upload-pack';
const commit = '2695effb5807a22ff3d138d593fd856244e155e7';

test('git-tags lists the tags that git upload-pack offers', async () => {
  const folder = createFolder();
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...author, ...args], { encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message=First.');
  git('tag', 'v1.0.0');
  git('tag', '-a', '-m', 'x', 'v2.0');

  const { releases, asked } = await ask(source, {
    change: () => (_request, response) => {
      response.write(packets('# service=git-upload-pack'));
      const options = ['--stateless-rpc', '--advertise-refs', folder];
      spawn('git', ['upload-pack', ...options]).stdout.pipe(response);
    },
  });

  const digests = [`sha1:${git('rev-parse', 'HEAD')}`];
  expect(releases).toEqual([
    { version: 'v1.0.0', digests, digest: null },
    { version: 'v2.0', digests, digest: null },
  ]);
  expect(asked).toEqual([`GET ${list}`]);
});

const askList = (body: string | Buffer) =>
  ask(source, {
    documents: { [list]: text(body, 'application/x-git-upload-pack-advertisement') },
  });

test.each([
  ['a packet that breaks off', '003e2695effb', 'expected references of Git;'],
  ['a packet length with a space', '00a packets', 'expected references of Git;'],
  [
    'a list without its end',
    packets('# service').slice(0, -4),
    'got something else, or only a part',
  ],
  ["Git's error message", packets('ERR access denied'), 'Git answered "access denied"'],
])('git-tags rejects an answer that is %s', async (_, body, message) => {
  await expect(askList(body)).rejects.toThrow(message);
});

test('git-tags reads the commits of tags, but no branches', async () => {
  const peeled = '079e90101242458910cccd35eab0e211dfc359c0';
  const lines = packets(
    `${commit} HEAD\0multi_ack side-band-64k`,
    `${commit} refs/heads/1.0`,
    `${commit} refs/tags/1.0`,
    `${peeled} refs/tags/1.0^{}`,
    `${commit} refs/tags/v2-?`,
    'none refs/tags/1.1',
  );
  const { releases, notes } = await askList(Buffer.from(lines.replace('?', '\xe9'), 'latin1'));

  expect(releases).toEqual([{ version: '1.0', digests: [`sha1:${peeled}`], digest: null }]);
  expect(notes).toEqual(['skipped names that are not versions: v2-\ufffd']);
});
