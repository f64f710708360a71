import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const routes = (url: string) => ({ 'https://gitlab.com/': url });
const at = '/api/v4/projects/group%2fsubgroup%2fagent';

const ofReleases = (): TypedSource => ({
  datasource: 'gitlab-releases',
  packageName: 'group/subgroup/agent',
});
const ofTags = (): TypedSource => ({
  datasource: 'gitlab-tags',
  packageName: 'group/subgroup/agent',
});

it('gitlab-releases leaves out upcoming releases', async () => {
  // In the form of docs.gitlab.com/api/releases, "List Releases", without most of its keys.
  const { offered } = await ask(ofReleases, {
    routes,
    documents: {
      [`${at}/releases?per_page=100`]: json([
        { tag_name: 'v0.3', released_at: '2026-09-03T01:57:41.000Z', upcoming_release: true },
        { tag_name: 'v0.2', released_at: '2019-01-03T01:56:20.539Z', upcoming_release: false },
      ]),
    },
  });

  expect(offered).toEqual([['v0.2', undefined]]);
});

it.each(['', 'api/v4', 'api/v4/', 'gitlab/', 'gitlab/api/v4'])(
  'gitlab-releases knows an instance by its own address and by that of its API: %s',
  async (address) => {
    const folder = address.startsWith('gitlab') ? '/gitlab' : '';
    const { releases } = await ask(
      (url) => ({ ...ofReleases(), registryUrl: `${url}${address}` }) as TypedSource,
      {
        documents: { [`${folder}${at}/releases?per_page=100`]: json([{ tag_name: '1.0' }]) },
      },
    );

    expect(releases).toEqual([{ version: '1.0' }]);
  },
);

it("gitlab-tags dates a tag by its own day, else by its commit's", async () => {
  // In the form of docs.gitlab.com/api/tags, "List all project repository tags", without most of its keys.
  const commit = {
    id: '2695effb5807a22ff3d138d593fd856244e155e7',
    authored_date: '2012-05-28T04:42:42-07:00',
    committed_date: '2012-05-28T04:42:43-07:00',
    created_at: '2012-05-28T04:42:44-07:00',
  };
  const { releases } = await ask(ofTags, {
    routes,
    documents: {
      [`${at}/repository/tags?per_page=100`]: json([
        {
          name: 'v1.0.1',
          message: 'Second',
          target: 'ab',
          created_at: '2012-06-01T00:00:00Z',
          commit,
        },
        { name: 'v1.0.0', message: null, target: 'cd', created_at: null, commit },
        { name: 'v0.9.0', commit: { ...commit, committed_date: undefined } },
      ]),
    },
  });

  expect(releases).toEqual([
    {
      version: 'v1.0.1',
      releaseTimestamp: '2012-06-01T00:00:00Z',
      digests: { 'v1.0.1': commit.id },
    },
    {
      version: 'v1.0.0',
      releaseTimestamp: '2012-05-28T04:42:43-07:00',
      digests: { 'v1.0.0': commit.id },
    },
    {
      version: 'v0.9.0',
      releaseTimestamp: '2012-05-28T04:42:44-07:00',
      digests: { 'v0.9.0': commit.id },
    },
  ]);
});
