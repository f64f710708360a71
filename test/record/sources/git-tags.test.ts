import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, type Asking } from '../../harness/asking.ts';
import { gitServer, repositoryWithTags } from '../../harness/git-server.ts';
import { packets } from '../../harness/upstreams/git-tags.ts';
import { redirects, type Document } from '../../harness/upstream.ts';

const source = (url: string): TypedSource => ({
  datasource: 'git-tags',
  packageName: `${url}group/agent.git`,
});
const list = '/group/agent.git/info/refs?service=git-upload-pack';
const tags = ['v1.0.0', '+v1.1.0', '+release/2.0', 'latest'];
const served = (options = {}): Asking => {
  const server = gitServer(repositoryWithTags(tags), options);
  return { handler: () => server };
};

/** The answer of a server with only the oldest protocol. */
const advertisement = (body: string | Buffer): Asking => ({
  documents: {
    [list]: { type: 'application/x-git-upload-pack-advertisement', body } satisfies Document,
  },
});

it.each([
  [
    'by the protocol that requests only tags',
    {},
    [`GET ${list}`, 'POST /group/agent.git/git-upload-pack'],
  ],
  ['by the older protocol, which lists all references', { protocols: false }, [`GET ${list}`]],
])("git-tags lists the tags of Git's own server %s", async (_, options, asked) => {
  const { releases, requests } = await ask(source, served(options));

  const names = releases.map(({ version }) => version).sort();
  expect(names).toEqual(['latest', 'release/2.0', 'v1.0.0', 'v1.1.0']);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(asked);
  // An annotated tag names its commit, which here is the same as for the others.
  expect(new Set(releases.flatMap(({ digests }) => Object.values(digests!))).size).toBe(1);
});

it('git-tags follows a redirect to the repository', async () => {
  const server = gitServer(repositoryWithTags(['v1.0.0']));
  const moved = redirects((path) => path.replace('/old/', '/group/'));

  const { releases } = await ask(
    (url) => ({ datasource: 'git-tags', packageName: `${url}old/agent.git/` }),
    {
      handler: () => (request, response) =>
        (request.url!.startsWith('/old/') ? moved : server)(request, response),
    },
  );

  expect(releases).toMatchObject([{ version: 'v1.0.0' }]);
});

it.each([
  ['no packets', 'ref: refs/heads/main', /expected packets of Git; got something else at byte 1/],
  ['a packet that breaks off', '003e2695effb', /got something else at byte 1/],
  ['a packet shorter than its own length', '00030000', /got something else at byte 1/],
  [
    'a list without its end',
    packets('# service').slice(0, -4),
    /expected the packet 0000 at the end/,
  ],
  ['what is wrong', packets('ERR access denied'), /Git answered "access denied"/],
])('git-tags takes nothing of an answer that is %s', async (_, body, message) => {
  await expect(ask(source, advertisement(body))).rejects.toThrow(message);
});

it('git-tags ignores references that are not tags', async () => {
  const commit = '2695effb5807a22ff3d138d593fd856244e155e7';
  const peeled = '079e90101242458910cccd35eab0e211dfc359c0';
  const { releases } = await ask(
    source,
    advertisement(
      packets('# service=git-upload-pack') +
        packets(
          `${commit} HEAD\0multi_ack side-band-64k`,
          `${commit} refs/heads/1.0`,
          `${commit} refs/pull/1/head`,
          `${commit} refs/tags/1.0`,
          `${peeled} refs/tags/1.0^{}`,
          `none refs/tags/1.1`,
        ),
    ),
  );

  expect(releases).toEqual([{ version: '1.0', digests: { '1.0': peeled } }]);
});

it('git-tags lists the other tags of a repository in which the name of one is not UTF-8', async () => {
  const commit = '2695effb5807a22ff3d138d593fd856244e155e7';
  const text = packets(`${commit} refs/tags/v2-?`, `${commit} refs/tags/v1.0`);
  const body = Buffer.from(text.replace('?', '\xe9'), 'latin1');
  const { releases } = await ask(source, advertisement(body));

  expect(releases.map(({ version }) => version)).toEqual(['v2-\ufffd', 'v1.0']);
});
