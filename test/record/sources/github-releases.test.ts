import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const routes = (url: string) => ({ 'https://api.github.com/': url });

const source = (): TypedSource => ({ datasource: 'github-releases', packageName: 'example/agent' });
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

it('github-releases states the digest of each asset that has one', async () => {
  const digest = `sha256:${'1'.repeat(64)}`;
  const assets = [
    { name: 'agent.zip', digest },
    { name: 'old.zip', digest: null },
  ];
  const { releases } = await ask(source, { routes, documents: list({ tag_name: 'v1.0', assets }) });

  expect(releases).toEqual([{ version: 'v1.0', digests: { 'v1.0/agent.zip': digest } }]);
});
