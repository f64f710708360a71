import { expect, test } from 'vitest';
import { ask, askLines } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

const askReleases = (document: unknown, transform?: string) =>
  ask((url) => ({ datasource: 'json', url: `${url}releases.json`, transform }), {
    documents: { '/releases.json': json(document) },
  });

test("json reads releases by an expression as in Renovate's custom datasources", async () => {
  // In the form of https://nodejs.org/dist/index.json, which Renovate's documentation transforms in this way.
  const { releases } = await askReleases(
    [
      { version: 'v24.21.0', date: '2025-10-28', lts: 'Krypton' },
      { version: 'v0.10.0', date: '2013-03-11', lts: false },
    ],
    `{"releases": $map($, function($release) {{
        "version": $release.version,
        "releaseTimestamp": $release.date,
        "changelogUrl": "https://nodejs.org/en/blog/release/" & $release.version,
        "isDeprecated": $contains($release.version, /^v0\\./),
        "isStable": $release.lts != false
      }})}`,
  );

  expect(releases[0]).toEqual({
    version: 'v24.21.0',
    releaseTimestamp: '2025-10-28T00:00:00Z',
    changelogUrl: 'https://nodejs.org/en/blog/release/v24.21.0',
    isPrerelease: false,
  });
  expect(releases[1]).toMatchObject({ isPrerelease: true, deprecated: 'no reason given' });
});

test("json reads Renovate's own form without an expression", async () => {
  const { releases } = await askReleases({
    releases: [{ version: '1.1', digest: 'a'.repeat(40) }],
  });

  expect(releases).toEqual([{ version: '1.1', digests: [`sha1:${'a'.repeat(40)}`] }]);
});

test.each([
  ['an array of releases', 'items.{"version": v}', ['1.0', '1.1']],
  ['an array of versions', 'items.v', ['1.0', '1.1']],
  ['a list of one, which JSONata gives as its element', '{"releases": items[0].v}', ['1.0']],
  ['a single version', 'items[0].v', ['1.0']],
  [
    'releases beside a version of the document',
    '{"version": 2, "releases": items.v}',
    ['1.0', '1.1'],
  ],
])('json reads %s', async (_, transform, expected) => {
  const { releases } = await askReleases({ items: [{ v: '1.0' }, { v: '1.1' }] }, transform);

  expect(releases.map(({ version }) => version)).toEqual(expected);
});

test.each([
  ['nothing', 'lists no version'],
  ['{"release": "1.0"}', 'lists no version'],
  ['$error("none of ours")', 'transform: none of ours'],
  ['{"releases": [{"version": 1.1}]}', 'entry 1: version: expected string; got 1.1'],
  ['($f := function($l) {$f($append($l, $l))}; $f([1..1000]))', 'transform: '],
])('json rejects the result of %s with the reason', async (transform, message) => {
  await expect(askReleases({}, transform)).rejects.toThrow(message);
});

test('json reads a number as milliseconds or seconds, as Renovate does', async () => {
  const { releases, notes } = await askReleases(
    {},
    '[1774434030000, 1774434030, 1e300].{"version": $string($), "releaseTimestamp": $}',
  );

  const day = '2026-03-25T10:20:30Z';
  expect(releases.map(({ releaseTimestamp }) => releaseTimestamp)).toEqual([day, day, undefined]);
  expect(notes).toEqual([
    '"1e+300": expected a date between 2000-01-01 and 2026-06-30; got "1e+300". Left out.',
  ]);
});

const askSchedule = (document: unknown, transform: string) =>
  askLines((url) => ({ datasource: 'json', url: `${url}x.json`, transform }), {
    documents: { '/x.json': json(document) },
  });

test('json reads release lines by an expression', async () => {
  const lines = await askSchedule(
    {
      v22: { start: '2024-04-24', lts: '2024-10-29', maintenance: '2025-10-21', end: '2027-04-30' },
      v23: { start: '2024-10-16', maintenance: '2025-04-01', end: '2025-06-01' },
    },
    `{"lines": $each($, function($plan, $name) {{
        "line": $substring($name, 1),
        "since": $plan.start,
        "lts": $exists($plan.lts) ? $plan.lts : false,
        "phases": {"active": $plan.maintenance, "maintenance": $plan.end}
      }})}`,
  );

  const phases = (active: string, maintenance: string) => [
    { name: 'active', until: active },
    { name: 'maintenance', until: maintenance },
  ];
  expect(lines).toEqual([
    {
      line: '22',
      since: '2024-04-24',
      lts: '2024-10-29',
      phases: phases('2025-10-21', '2027-04-30'),
    },
    { line: '23', since: '2024-10-16', phases: phases('2025-04-01', '2025-06-01') },
  ]);
});

test.each([
  ['{"releases": []}', 'transform: expected lines; got {"releases":[]}'],
  ['absent', 'transform: expected lines; got undefined'],
  ['{"lines": []}', 'lists no release line'],
  ['{"lines": [{"line": "1.0", "phases": {}}]}', 'None of its 1 entries can be read'],
  ['{"lines": [{"line": "1.0", "phases": {"a": "soon"}}]}', 'None of its 1 entries can be read'],
])('json says why it takes no line of %s', async (transform, message) => {
  await expect(askSchedule({}, transform)).rejects.toThrow(message);
});

test.each([
  ['paid phases alone', '{"until": "2027-01-01", "paid": true}'],
  ['an end before an earlier one', '"2027-01-01", "b": {}, "c": "2026-01-01"'],
])('json takes no line with %s', async (_, phase) => {
  const transform = `{"lines": [{"line": "1.0", "phases": {"a": ${phase}}}]}`;

  await expect(askSchedule({}, transform)).rejects.toThrow('expected phases that follow');
});
