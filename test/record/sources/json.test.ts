import { expect, it } from 'vitest';
import { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, askDescription, json as asJson } from '../../harness/asking.ts';
import { run } from '../../harness/gathering.ts';
import { expectFailed, expectUpdated } from '../../harness/expectations.ts';
import type { ImitatedUpstream } from '../../harness/imitated-upstream.ts';
import { json as imitation } from '../../harness/upstreams/json.ts';
import { changed } from '../../harness/upstream.ts';

const gather = (document: unknown, transform: string) =>
  ask((url) => ({ datasource: 'json', url: `${url}releases.json`, transform }), {
    documents: { '/releases.json': asJson(document) },
  });

it("json reads releases by an expression as in Renovate's custom datasources", async () => {
  // In the form of https://nodejs.org/dist/index.json, which Renovate's documentation transforms in this way.
  const { releases, offered } = await gather(
    [
      { version: 'v26.0.0-rc.1', date: '2026-04-01', lts: false, security: false },
      { version: 'v25.1.0', date: '2025-11-20', lts: false, security: false },
      { version: 'v24.21.0', date: '2025-10-28', lts: 'Krypton', security: true },
      { version: 'v0.10.0', date: '2013-03-11', lts: false, security: false },
    ],
    `{"releases": $map($, function($release) {{
        "version": $release.version,
        "releaseTimestamp": $release.date,
        "changelogUrl": "https://nodejs.org/en/blog/release/" & $release.version,
        "isDeprecated": $contains($release.version, /^v0\\./),
        "isStable": $release.lts != false,
        "sourceUrl": "https://github.com/nodejs/node"
      }}), "homepage": "https://nodejs.org"}`,
  );

  expect(releases).toHaveLength(4);
  expect(releases.at(2)).toEqual({
    version: 'v24.21.0',
    releaseTimestamp: '2025-10-28',
    changelogUrl: 'https://nodejs.org/en/blog/release/v24.21.0',
    isPrerelease: false,
  });
  expect(releases.at(3)).toMatchObject({ version: 'v0.10.0', deprecated: '' });
  expect(offered[0]).toEqual(['v26.0.0-rc.1', true]);
});

it.each([
  ['an array of releases', 'items.{"version": v}', ['1.0', '1.1']],
  ['an array of versions', 'items.v', ['1.0', '1.1']],
  [
    'a single release, as JSONata gives a list of one',
    '{"releases": items[0].{"version": v}}',
    ['1.0'],
  ],
  ['a single version', 'items[0].v', ['1.0']],
  [
    'releases beside a version of the document',
    '{"version": 2, "releases": items.v}',
    ['1.0', '1.1'],
  ],
])('json reads %s', async (_, transform, versions) => {
  const { releases } = await gather({ items: [{ v: '1.0' }, { v: '1.1' }] }, transform);

  expect(releases.map(({ version }) => version)).toEqual(versions);
});

it.each([
  ['nothing', /releases\.json lists no version/],
  ['{"releases": []}', /releases\.json lists no version/],
  ['null', /releases\.json lists no version/],
  ['{"release": "1.0"}', /transform: expected releases; got \{"release":"1\.0"\}/],
  ['$error("none of ours")', /releases\.json: transform: at character 8: none of ours/],
  ['{"releases": [{"version": 1.1}]}', /entry 1: expected a version; got 1\.1/],
  ['function($x) {$x}', /releases\.json/],
])('json rejects the result of %s with the reason', async (transform, message) => {
  await expect(gather({}, `(${transform})`)).rejects.toThrow(message);
});

it('json reads a number as milliseconds or seconds, as Renovate does', async () => {
  const { releases } = await gather(
    {},
    '[1774434030000, 1774434030, 1e300].{"version": $string($), "releaseTimestamp": $}',
  );

  expect(releases.map(({ releaseTimestamp }) => releaseTimestamp)).toEqual([
    '2026-03-25T10:20:30.000Z',
    '2026-03-25T10:20:30.000Z',
    '1e+300',
  ]);
});

it.each([
  ['{"releases": [', /at character 14: /],
  ['items.(', /at character 7: Expected "\)" before end of expression/],
  // How deep the parser gets depends on how far its code was compiled.
  ['('.repeat(4999), /Maximum call stack|Expected "\)" before end of expression/],
])('json rejects an expression that does not compile, with the place: %s', (transform, why) => {
  const parsed = TypedSource.safeParse({
    datasource: 'json',
    url: 'https://example.com/',
    transform,
  });

  expect(parsed.error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [['transform'], expect.stringMatching(/^expected an expression of JSONata \(/)],
  ]);
  expect(parsed.error?.issues[0]?.message).toMatch(why);
});

it('an endless expression affects no other component, even if it fills the memory', async () => {
  const filling = '($f := function($l) {$f($append($l, $l))}; $f([1..1000]))';
  const source: ImitatedUpstream['source'] = (url, releases) => {
    const sound = imitation.source(url, releases);
    return 'transform' in sound
      ? { ...sound, transform: `filling ? ${filling} : ${sound.transform}` }
      : sound;
  };
  const [outcome, other] = await Promise.all([
    run(
      { ...imitation, source },
      { handler: (documents) => changed(documents, () => asJson({ filling: true })) },
    ),
    run({ ...imitation, source }),
  ]);

  expectUpdated(other);
  // A busy machine ends it by time before it has filled the memory.
  expectFailed(outcome, /transform: gives no result of at most 50 MB within 10 s and 256 MB /);
});

it.each([
  [{ version: '2.0.0-beta' }, true],
  [{ version: '2.0.0-beta', isStable: true }, false],
  [{ version: '2.0.0', isStable: false }, true],
])('json lists prereleases by their form and what is stated: %j', async (release, expected) => {
  const description = await askDescription(
    (url) => ({ datasource: 'json', url: `${url}releases.json` }),
    { documents: { '/releases.json': asJson({ releases: [release] }) } },
  );

  expect(description?.hasPrereleases).toBe(expected);
});
