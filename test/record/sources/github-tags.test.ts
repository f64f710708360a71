import { expect, it } from 'vitest';
import { ask, json, type Asking } from '../../harness/asking.ts';

const repository = '/repos/example/agent';

const askTags = (asking: Asking) =>
  ask(() => ({ datasource: 'github-tags', packageName: 'example/agent' }), {
    routes: (url) => ({ 'https://api.github.com/': url }),
    ...asking,
  });

it('github-tags uses one of two tags with the same version, and asks for its day once', async () => {
  const sha = 'c5b97d5ae6c19d5c5df71a34c7fbeeda2479ccbc';
  const tags = ['v1.0', 'agent-1.0'].map((name) => ({ name, commit: { sha } }));
  const { releases, requests } = await askTags({
    documents: {
      [`${repository}/tags?per_page=100`]: json(tags),
      [`${repository}/commits/${sha}`]: json({ commit: { committer: null } }),
    },
    offer: (listed) => listed.replace(/^\D+/, ''),
  });

  expect(releases).toEqual([{ version: '1.0', digests: { 'v1.0': sha } }]);
  expect(requests).toHaveLength(2);
});

it('github-tags skips a tag with an invalid commit, such as half of a surrogate pair', async () => {
  const body = '[{"name":"v1.1","commit":{"sha":"\\ud800"}},{"name":"v1.0","commit":{"sha":"c0"}}]';
  const { releases, skipped } = await askTags({
    documents: { [`${repository}/tags?per_page=100`]: { type: 'application/json', body } },
    wantsTimestamp: () => false,
  });

  expect(releases).toEqual([{ version: 'v1.0', digests: { 'v1.0': 'c0' } }]);
  expect(skipped).toEqual([
    expect.stringMatching(/commit\.sha: expected a commit; .* Skipped 1 of 2 entries\.$/),
  ]);
});
