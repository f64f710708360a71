import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const routes = (url: string) => ({ 'https://api.github.com/': url });

const source = (): Source => ({ datasource: 'github-tags', packageName: 'example/agent' });
const sha = 'c5b97d5ae6c19d5c5df71a34c7fbeeda2479ccbc';
const tags = (...names: string[]) => ({
  '/repos/example/agent/tags?per_page=100': json(names.map((name) => ({ name, commit: { sha } }))),
});
const commit = (value: unknown) => ({ [`/repos/example/agent/commits/${sha}`]: json(value) });

describe('github-tags', () => {
  it('dates a tag by the committer, not by the author', async () => {
    const { releases } = await ask(source, {
      routes,
      documents: {
        ...tags('v1.0'),
        ...commit({
          commit: { author: { date: '2019-01-01T00:00:00Z' }, committer: { date: '2026-03-25T10:20:30Z' } },
        }),
      },
    });

    expect(releases).toEqual([
      { version: 'v1.0', releaseTimestamp: '2026-03-25T10:20:30Z', digests: { 'v1.0': sha } },
    ]);
  });

  it('uses one of two tags with the same version, and asks once', async () => {
    const { releases, requests } = await ask(source, {
      routes,
      documents: { ...tags('v1.0', 'agent-1.0'), ...commit({ commit: { committer: null } }) },
      offer: (listed) => listed.replace(/^\D+/, ''),
    });

    expect(releases).toEqual([{ version: '1.0', digests: { 'v1.0': sha } }]);
    expect(requests).toHaveLength(2);
  });

  it('leaves the remaining days to the next run once the limit on requests is used up', async () => {
    const names = Array.from({ length: 60 }, (_, minor) => `1.${minor}`);
    const { releases, postponed, requests } = await ask(source, {
      routes,
      documents: {
        '/repos/example/agent/tags?per_page=100': json(
          names.map((name, index) => ({ name, commit: { sha: `${sha}${index}` } })),
        ),
      },
      handler: (sound) => (request, response) => {
        if (request.url!.includes('/tags')) return sound(request, response);
        response.writeHead(403, { 'x-ratelimit-remaining': '0', 'retry-after': '3600' }).end();
      },
    });

    expect(releases.map(({ version }) => version)).toEqual(names);
    expect(postponed.map(([version]) => version).sort()).toEqual(names.toSorted());
    expect(postponed[0]![1]).toMatch(/commits\/\S+ answered 403/);
    expect(requests.length).toBeLessThan(20);
  });

  it('skips a tag with an invalid commit, such as half of a surrogate pair', async () => {
    const { releases, skipped, offered } = await ask(source, {
      routes,
      documents: {
        '/repos/example/agent/tags?per_page=100': {
          type: 'application/json',
          body: `[{"name":"v1.1","commit":{"sha":"\\ud800"}},{"name":"v1.0","commit":{"sha":"${sha}"}}]`,
        },
        ...commit({ commit: { committer: { date: '2026-03-25T10:20:30Z' } } }),
      },
    });

    expect(releases).toEqual([
      { version: 'v1.0', releaseTimestamp: '2026-03-25T10:20:30Z', digests: { 'v1.0': sha } },
    ]);
    expect(offered.map(([name]) => name).sort()).toEqual(['v1.0', 'v1.1']);
    expect(skipped).toEqual([
      expect.stringMatching(
        / entry 1 \("v1\.1"\): commit\.sha: expected a commit; got .*Skipped 1 of 2 entries\.$/,
      ),
    ]);
  });
});
