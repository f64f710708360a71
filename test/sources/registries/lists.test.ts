import { expect, test } from 'vitest';
import { ask, askRegistry } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

const atGitLab = '/api/v4/projects/group%2fsubgroup%2fagent';

test.each<[string, string, object[], object[]]>([
  [
    'github-releases leaves out drafts, and believes a mark as a prerelease',
    '/repos/group/subgroup/agent/releases?per_page=100',
    [
      { tag_name: 'v1.0', prerelease: true },
      { tag_name: 'v1.1', prerelease: false },
      { tag_name: 'v2.0', draft: true },
    ],
    [{ version: 'v1.0', isPrerelease: true }, { version: 'v1.1' }],
  ],
  [
    'gitlab-releases leaves out upcoming ones',
    `${atGitLab}/releases?per_page=100`,
    [
      { tag_name: 'v0.3', upcoming_release: true },
      { tag_name: 'v0.2', _links: { self: 'https://gitlab.com/v0.2' } },
    ],
    [{ version: 'v0.2', changelogUrl: 'https://gitlab.com/v0.2' }],
  ],
  [
    "gitlab-tags dates a tag by its own day, else by its commit's",
    `${atGitLab}/repository/tags?per_page=100`,
    [
      {
        name: 'v1.1',
        created_at: '2012-06-01T00:00:00Z',
        commit: { committed_date: '2012-05-28T04:42:43-07:00' },
      },
    ],
    [{ version: 'v1.1', releaseTimestamp: '2012-06-01T00:00:00Z', digest: null }],
  ],
  [
    'rubygems links only a page that names the version',
    '/api/v1/versions/group%2fsubgroup%2fagent.json',
    [
      { number: '1.18.2', metadata: { changelog_uri: 'https://a.example/all' } },
      {
        number: '1.18.1',
        prerelease: true,
        metadata: { changelog_uri: 'https://a.example/1-18-1' },
      },
    ],
    [
      { version: '1.18.1', isPrerelease: true, changelogUrl: 'https://a.example/1-18-1' },
      { version: '1.18.2' },
    ],
  ],
])('%s', async (name, path, entries, expected) => {
  const [datasource] = name.split(' ');
  const { releases } = await askRegistry(
    { datasource, packageName: 'group/subgroup/agent' },
    { [path]: json(entries) },
  );

  expect(releases).toEqual(expected);
});

test('gitlab-releases knows an instance in a folder, and by the address of its API', async () => {
  const source = { datasource: 'gitlab-releases', packageName: 'group/subgroup/agent' };
  const { releases } = await ask((url) => ({ ...source, registryUrl: `${url}gitlab/api/v4/` }), {
    documents: { [`/gitlab${atGitLab}/releases?per_page=100`]: json([{ tag_name: '1.0' }]) },
  });

  expect(releases).toEqual([{ version: '1.0' }]);
});

test('a list whose header Link cannot be read fails: it would look whole', async () => {
  const asked = askRegistry(
    { datasource: 'github-tags', packageName: 'example/agent' },
    { '/repos/example/agent/tags?per_page=100': json([], { link: 'garbage' }) },
  );

  await expect(asked).rejects.toThrow('cannot be read as header Link');
});
