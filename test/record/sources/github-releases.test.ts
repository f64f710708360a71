import { expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const routes = (url: string) => ({ 'https://api.github.com/': url });

const source = (): Source => ({ datasource: 'github-releases', packageName: 'example/agent' });
const list = (...releases: unknown[]) => ({
  '/repos/example/agent/releases?per_page=100': json(releases),
});

it('github-releases asks the API with its media type and version', async () => {
  const { requests } = await ask(source, { routes, documents: list({ tag_name: 'v1.0' }) });

  expect(requests[0]?.headers).toMatchObject({
    accept: expect.stringContaining('application/vnd.github+json'),
    'x-github-api-version': '2022-11-28',
  });
});

it.each<[string, object, object]>([
  ['a mark as a prerelease', { prerelease: true }, { isPrerelease: true }],
  ['no mark as a prerelease, as its form decides', { prerelease: false }, {}],
])('github-releases lists an unchanged tag with %s', async (_, release, stated) => {
  const documents = list({ tag_name: 'v1.0', ...release }, { tag_name: 'v2.0', draft: true });
  const { releases, offered } = await ask(source, { routes, documents });

  expect(releases).toEqual([{ version: 'v1.0', ...stated }]);
  expect(offered).toEqual([['v1.0', 'isPrerelease' in stated || undefined]]);
});

it('github-releases attests the largest asset, and nothing at an enterprise server', async () => {
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
