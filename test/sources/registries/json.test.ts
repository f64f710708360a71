import { expect, test } from 'vitest';
import { ask, askLines } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

const askReleases = (document: unknown, transform?: string) =>
  ask((url) => ({ datasource: 'json', url: `${url}releases.json`, transform }), {
    documents: { '/releases.json': json(document) },
  });

test("json accepts the JSONata expressions of Renovate's custom datasources", async () => {
  // The document has the format of https://nodejs.org/dist/index.json. Renovate's documentation shows this expression for it.
  const { releases } = await askReleases(
    [
      { version: 'v24.21.0', date: '2025-10-28', lts: 'Krypton' },
      { version: 'v0.10.0', lts: false },
    ],
    `{"releases": $map($, function($release) {{
        "version": $release.version,
        "releaseTimestamp": $release.date,
        "changelogUrl": "https://nodejs.org/en/blog/release/" & $release.version,
        "isDeprecated": $contains($release.version, /^v0\\./),
        "isStable": $release.lts != false
      }})}`,
  );

  expect(releases[0]).toMatchObject({ isPrerelease: true, deprecated: 'no reason given' });
  expect(releases[1]).toEqual({
    version: 'v24.21.0',
    releaseTimestamp: '2025-10-28T00:00:00Z',
    changelogUrl: 'https://nodejs.org/en/blog/release/v24.21.0',
  });
});

test('json reads which releases belong to a required stop, as another index marks them', async () => {
  const entries = [{ version: '17.3.7', isStop: true }, { version: '17.4.1' }];
  const { releases } = await askReleases({ releases: entries });

  expect(releases).toEqual([{ version: '17.3.7', isStop: true }, { version: '17.4.1' }]);
});

test.each([
  ['an array of releases', 'items.{"version": v}', ['1.0', '1.1']],
  ['a release with an empty key "versions"', '{"version": items[0].v, "versions": []}', ['1.0']],
  ['one release instead of a list', '{"releases": items[0].v}', ['1.0']],
  [
    "an object with releases and the document's version",
    '{"version": 2, "releases": items.v}',
    ['1.0', '1.1'],
  ],
])('json reads the result of an expression: %s', async (_, transform, expected) => {
  const { releases } = await askReleases({ items: [{ v: '1.0' }, { v: '1.1' }] }, transform);

  expect(releases.map(({ version }) => version)).toEqual(expected);
});

test('json reports the error that an expression raises', async () => {
  await expect(askReleases({}, '$error("none of ours")')).rejects.toThrow(
    'transform: none of ours',
  );
});

test.each([
  ['{"releases": itms.v}', '{}'],
  ['itms.{"version": v}', 'undefined'],
  ['{"releases": []}', '{"releases":[]}'],
])('json says what the expression %s gives if it finds no release', async (transform, result) => {
  await expect(askReleases({ items: [{ v: '1.0' }] }, transform)).rejects.toThrow(
    `lists no version that its transform finds; the transform gives ${result}`,
  );
});

test('json rejects a list of more than 500,000 releases', async () => {
  const releases = Array.from({ length: 500_001 }, () => '1.0');

  await expect(askReleases({ releases })).rejects.toThrow('lists more than 500,000 values');
});

const askSchedule = (document: unknown, transform?: string) =>
  askLines((url) => ({ datasource: 'json', url: `${url}x.json`, transform }), {
    documents: { '/x.json': json(document) },
  });

test('json reads release lines with an expression', async () => {
  const lines = await askSchedule(
    { v22: { start: '2024-04-24', lts: '2024-10-29', end: '2027-04-30' }, v23: {} },
    `{"lines": $each($, function($plan, $name) {{
        "line": $substring($name, 1),
        "since": $plan.start,
        "lts": $exists($plan.lts) ? $plan.lts : false,
        "phases": {"active": {}, "maintenance": $plan.end}
      }})}`,
  );

  expect(lines).toEqual([
    {
      line: '22',
      since: '2024-04-24',
      lts: '2024-10-29',
      phases: [{ name: 'active' }, { name: 'maintenance', until: '2027-04-30' }],
    },
    { line: '23', phases: [{ name: 'active' }] },
  ]);
});

test.each([
  ['{"releases": []}', 'transform: expected lines; got {"releases":[]}'],
  ['{"lines": []}', 'lists no release line'],
  ['{"lines": [{"line": "1.0", "phases": {"a": "soon"}}]}', 'expected a day, YYYY-MM-DD'],
  ['{"lines": [{"line": "1.0", "phases": {"a": {"paid": true}}}]}', 'the first one not paid'],
  [
    '{"lines": [{"line": "1.0", "phases": {"a": "2027-01-01", "b": {}, "c": "2026-01-01"}}]}',
    'phases that follow each other',
  ],
])('json rejects a document with invalid release lines: %s', async (document, message) => {
  await expect(askSchedule(JSON.parse(document))).rejects.toThrow(message);
});
