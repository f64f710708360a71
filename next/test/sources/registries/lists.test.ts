import { expect, test } from 'vitest';
import { ask } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

const atGitLab = '/api/v4/projects/group%2fsubgroup%2fagent';

test('github is asked by the media type and version of its API', async () => {
  const { upstream } = await ask(
    () => ({ datasource: 'github-releases', packageName: 'example/agent' }),
    {
      standsFor: 'https://api.github.com/',
      documents: { '/repos/example/agent/releases?per_page=100': json([{ tag_name: 'v1.0' }]) },
    },
  );

  expect(upstream.requests[0]?.headers).toMatchObject({
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  });
});

test.each<[string, string, object[], object[]]>([
  [
    'github-releases leaves out drafts, and believes only a mark as a prerelease',
    '/repos/group/subgroup/agent/releases?per_page=100',
    [
      { tag_name: 'v1.0', prerelease: true, created_at: '2001-01-01T00:00:00Z' },
      { tag_name: 'v1.1', prerelease: false },
      { tag_name: 'v2.0', draft: true },
    ],
    [{ version: 'v1.0', isPrerelease: true }, { version: 'v1.1' }],
  ],
  [
    'gitlab-releases leaves out upcoming ones',
    `${atGitLab}/releases?per_page=100`,
    [
      { tag_name: 'v0.3', released_at: '2026-09-03T01:57:41.000Z', upcoming_release: true },
      {
        tag_name: 'v0.2',
        released_at: '2019-01-03T01:56:20.539Z',
        _links: { self: 'https://gitlab.com/x/-/releases/v0.2' },
      },
    ],
    [
      {
        version: 'v0.2',
        releaseTimestamp: '2019-01-03T01:56:20Z',
        changelogUrl: 'https://gitlab.com/x/-/releases/v0.2',
      },
    ],
  ],
  [
    "gitlab-tags dates a tag by its own day, else by its commit's",
    `${atGitLab}/repository/tags?per_page=100`,
    [
      { name: 'v1.1', created_at: '2012-06-01T00:00:00Z', commit: { id: 'c'.repeat(40) } },
      { name: 'v1.0', created_at: null, commit: { committed_date: '2012-05-28T04:42:43-07:00' } },
    ],
    [
      {
        version: 'v1.1',
        releaseTimestamp: '2012-06-01T00:00:00Z',
        digests: [`sha1:${'c'.repeat(40)}`],
      },
      { version: 'v1.0', releaseTimestamp: '2012-05-28T11:42:43Z' },
    ],
  ],
  [
    'rubygems unites platforms, and links only a page that names the version',
    '/api/v1/versions/group/subgroup/agent.json',
    [
      {
        number: '1.18.2',
        platform: 'java',
        created_at: '2025-01-14T22:33:06.113Z',
        sha: 'a'.repeat(64),
        metadata: { changelog_uri: 'https://example.org/CHANGELOG.html' },
      },
      {
        number: '1.18.2',
        platform: 'ruby',
        created_at: '2025-01-14T22:32:10.541Z',
        sha: 'b'.repeat(64),
      },
      {
        number: '1.18.1',
        prerelease: true,
        metadata: { changelog_uri: 'https://example.org/1-18-1' },
      },
    ],
    [
      {
        version: '1.18.2',
        releaseTimestamp: '2025-01-14T22:32:10Z',
        digests: [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`],
      },
      { version: '1.18.1', isPrerelease: true, changelogUrl: 'https://example.org/1-18-1' },
    ],
  ],
])('%s', async (name, path, entries, expected) => {
  const [datasource] = name.split(' ');
  const encoded = path.replace(
    'versions/group/subgroup/agent',
    'versions/group%2fsubgroup%2fagent',
  );
  const { releases } = await ask(
    (registryUrl) => ({ datasource, packageName: 'group/subgroup/agent', registryUrl }),
    { documents: { [encoded]: json(entries) } },
  );

  expect(releases).toEqual(expected);
});

test.each(['', 'api/v4', 'api/v4/', 'gitlab/', 'gitlab/api/v4'])(
  'gitlab-releases knows an instance by its own address and by that of its API: %s',
  async (address) => {
    const folder = address.startsWith('gitlab') ? '/gitlab' : '';
    const { releases } = await ask(
      (url) => ({
        datasource: 'gitlab-releases',
        packageName: 'group/subgroup/agent',
        registryUrl: `${url}${address}`,
      }),
      {
        documents: { [`${folder}${atGitLab}/releases?per_page=100`]: json([{ tag_name: '1.0' }]) },
      },
    );

    expect(releases).toEqual([{ version: '1.0' }]);
  },
);

test('a list whose header Link cannot be read fails: it would look whole', async () => {
  const asked = ask(
    (registryUrl) => ({ datasource: 'github-tags', packageName: 'example/agent', registryUrl }),
    {
      documents: {
        '/repos/example/agent/tags?per_page=100': json([], { link: 'garbage' }),
      },
    },
  );

  await expect(asked).rejects.toThrow('its header Link cannot be read');
});
