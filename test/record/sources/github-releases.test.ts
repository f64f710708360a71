import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const routes = (url: string) => ({ 'https://api.github.com/': url });

const source = (): Source => ({ datasource: 'github-releases', packageName: 'example/agent' });
const list = (...releases: unknown[]) => ({ '/repos/example/agent/releases?per_page=100': json(releases) });

describe('github-releases', () => {
  it('asks the API with its media type and version', async () => {
    const { requests } = await ask(source, { routes, documents: list({ tag_name: 'v1.0' }) });

    expect(requests[0]?.headers).toMatchObject({
      accept: expect.stringContaining('application/vnd.github+json'),
      'x-github-api-version': '2022-11-28',
    });
  });

  it('lists unchanged tags with the day of publication instead of the commit', async () => {
    const { releases } = await ask(source, {
      routes,
      documents: list({
        tag_name: 'v1.0',
        created_at: '2020-01-01T00:00:00Z',
        published_at: '2026-03-25T10:20:30Z',
        html_url: 'https://github.example.com/example/agent/releases/tag/v1.0',
      }),
    });

    expect(releases).toEqual([
      {
        version: 'v1.0',
        releaseTimestamp: '2026-03-25T10:20:30Z',
        changelogUrl: 'https://github.example.com/example/agent/releases/tag/v1.0',
      },
    ]);
  });

  it('marks immutable releases', async () => {
    const { releases } = await ask(source, {
      routes,
      documents: list({ tag_name: 'v1.1', immutable: true }, { tag_name: 'v1.0', immutable: false }),
    });

    expect(releases).toEqual([{ version: 'v1.1', isImmutable: true }, { version: 'v1.0' }]);
  });

  it('does not list a draft', async () => {
    const { offered } = await ask(source, {
      routes,
      documents: list(
        { tag_name: 'v2.0', draft: true, published_at: null },
        { tag_name: 'v1.0', draft: false },
      ),
    });

    expect(offered).toEqual([['v1.0', undefined]]);
  });

  it('treats releases as prereleases if marked, else by their form', async () => {
    const { offered, releases } = await ask(source, {
      routes,
      documents: list({ tag_name: 'v2.0', prerelease: true }, { tag_name: 'v2.0-rc1', prerelease: false }),
    });

    expect(offered).toEqual([
      ['v2.0', true],
      ['v2.0-rc1', undefined],
    ]);
    expect(releases).toEqual([{ version: 'v2.0', isPrerelease: true }, { version: 'v2.0-rc1' }]);
  });

  it('attests the largest asset, and nothing at an enterprise server', async () => {
    const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
    const assets = [
      { name: 'SHA256SUMS', digest: digest('1'), size: 90 },
      { name: 'agent.zip', digest: digest('2'), size: 9000 },
    ];
    const path = `/repos/example/agent/attestations/${digest('2')}?predicate_type=provenance`;
    const bundles = [{ bundle: { mediaType: 'a' } }];
    const { attestations } = await ask(source, {
      routes,
      documents: { ...list({ tag_name: 'v1.0', assets }), [path]: json({ attestations: bundles }) },
    });
    const enterprise = await ask((url) => ({ ...source(), registryUrl: `${url}api/v3/` }) as Source, {
      documents: {
        '/api/v3/repos/example/agent/releases?per_page=100': json([{ tag_name: 'v1.0', assets }]),
      },
    });

    expect(attestations.map(({ artifact }) => artifact)).toEqual(['v1.0/agent.zip']);
    expect(await attestations[0]!.fetch()).toEqual(bundles);
    expect(enterprise.attestations).toEqual([]);
  });
});
