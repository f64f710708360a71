import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const source = (): TypedSource => ({ datasource: 'rubygems', packageName: 'nokogiri' });

/** In the form of https://rubygems.org/api/v1/versions/nokogiri.json, without most of its keys. */
const uri = { changelog_uri: 'https://nokogiri.org/CHANGELOG.html' };
const gem = (number: string, platform: string, created_at: string, prerelease = false) => {
  return { number, platform, created_at, prerelease, metadata: uri, ruby_version: '>= 3.1.0' };
};
const nokogiri = [
  gem('1.18.2', 'java', '2025-01-14T22:33:06.113Z'),
  gem('1.18.2', 'ruby', '2025-01-14T22:32:10.541Z'),
  gem('1.18.0.rc1', 'ruby', '2024-12-16T18:20:14.000Z', true),
  gem('1.4.4.2', 'x86-mingw32', '2011-02-26T00:00:00.000Z'),
];

const gatherGems = (gems: unknown) =>
  ask(source, {
    routes: (url) => ({ 'https://rubygems.org/': url }),
    documents: { '/api/v1/versions/nokogiri.json': json(gems) },
  });

it('rubygems lists a version once for all platforms, with the earliest day', async () => {
  const { releases, offered } = await gatherGems(nokogiri);

  expect(releases).toEqual([
    { version: '1.18.2', releaseTimestamp: '2025-01-14T22:32:10Z', isPrerelease: false },
    { version: '1.18.0.rc1', releaseTimestamp: '2024-12-16T18:20:14Z', isPrerelease: true },
    { version: '1.4.4.2', releaseTimestamp: '2011-02-26T00:00:00Z', isPrerelease: false },
  ]);
  expect(offered).toContainEqual(['1.18.0.rc1', true]);
});

it("rubygems reads Bundler's index if a registry has no other list", async () => {
  // In the form of https://rubygems.org/info/nokogiri.
  const sum = (letter: string) => letter.repeat(64);
  const body = `---
1.18.0.rc1 mini_portile2:~> 2.8.2,racc:~> 1.4|checksum:${sum('a')},ruby:>= 3.1.0
1.18.2 mini_portile2:~> 2.8.2|checksum:${sum('b')},ruby:>= 3.1.0
1.18.2-java jar-dependencies:~> 0.4|checksum:${sum('c')}
1.18.3-x86_64-linux-gnu |checksum:${sum('d')}
`;
  const at = (registryUrl: string): TypedSource => ({
    datasource: 'rubygems',
    packageName: 'nokogiri',
    registryUrl,
  });

  const { releases } = await ask(at, {
    documents: { '/info/nokogiri': { type: 'binary/octet-stream', body } },
  });

  expect(releases).toEqual([
    { version: '1.18.0.rc1', digests: { ruby: sum('a') } },
    { version: '1.18.2', digests: { ruby: sum('b'), java: sum('c') } },
    { version: '1.18.3', digests: { 'x86_64-linux-gnu': sum('d') } },
  ]);
  await expect(ask(at)).rejects.toThrow(/\/info\/nokogiri answered 404/);
});

it('rubygems links the changelog of a version, but not a general history', async () => {
  const of = (number: string, changelog_uri: string) => ({ number, metadata: { changelog_uri } });

  const { releases } = await gatherGems([
    of('7.1.2', 'https://github.com/rails/rails/blob/v7.1.2/railties/CHANGELOG.md'),
    of('7.1.1', 'https://example.com/news#7-1-1'),
    of('7.1.0', 'https://example.com/CHANGELOG.md'),
  ]);

  expect(releases.map(({ changelogUrl }) => changelogUrl)).toEqual([
    'https://github.com/rails/rails/blob/v7.1.2/railties/CHANGELOG.md',
    'https://example.com/news#7-1-1',
    undefined,
  ]);
});
