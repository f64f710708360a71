import * as fc from 'fast-check';

/** Definitions that between them have every key and every kind of source and support policy. */
export const definitions: readonly object[] = [
  {
    $schema: '../site/schema/definition.json',
    title: 'Build agent – für alle',
    description: 'Connects builds to the server.',
    homepage: 'https://products.example.com/svc/',
    changelogUrl: 'https://products.example.com/svc/changelog?all=1#top',
    releaseChangelogUrl: { template: 'https://example.com/{version}/notes#v{versionDashed}', since: '3.17' },
    sources: [
      { datasource: 'npm', packageName: '@scope/svc' },
      {
        datasource: 'npm',
        packageName: 'svc',
        registryUrl: 'http://127.0.0.1:4873/',
        allowedVersions: '<3.17',
      },
      {
        datasource: 'maven',
        packageName: 'com.example:svc',
        registryUrl: 'https://repo.example.com:8443/m2/',
      },
      { datasource: 'pypi', packageName: 'svc', extractVersion: '^v(?<version>.+)$' },
      { datasource: 'docker', packageName: 'example/svc', allowedVersions: '/^\\d+\\.\\d+$/' },
    ],
    prereleases: true,
    support: { policy: 'term', months: 18, line: 1 },
    deprecated: [
      { versions: ['1.0', '1.1'], reason: 'Broken.', url: 'https://example.com/why', since: '2026-02-28' },
      { versions: '>=2 <2.1', reason: 'Broken, too.' },
    ],
    ignoreUpstreamDeprecation: false,
    replacedBy: 'other-svc',
  },
  {
    title: 'Chart',
    homepage: 'https://my-products.example.com/',
    changelogUrl: 'https://example.com/changes',
    sources: [
      {
        datasource: 'helm',
        packageName: 'svc',
        registryUrl: 'https://charts.example.com',
        field: 'appVersion',
      },
      { datasource: 'github-releases', packageName: 'example/svc' },
      { datasource: 'github-tags', packageName: 'example/svc', allowedVersions: '!/rc/i' },
      { datasource: 'gitlab-releases', packageName: 'group/sub/svc' },
      { datasource: 'gitlab-tags', packageName: 'group/svc', registryUrl: 'https://gitlab.example.com/' },
      { datasource: 'git-tags', packageName: 'https://git.example.com/group/svc.git' },
      { datasource: 'nuget', packageName: 'Example.Svc' },
      { datasource: 'crate', packageName: 'example_svc' },
      { datasource: 'rubygems', packageName: 'example-svc', allowedVersions: '>=1' },
      { datasource: 'go', packageName: 'example.com/svc/v2', extractVersion: '^v(?<version>.+)$' },
      {
        datasource: 'json',
        url: 'https://api.example.com/releases?all=1',
        transform: '{"releases": items.{"version": tag}}',
      },
      {
        datasource: 'page',
        url: 'https://example.com/list',
        matchStrings: ['^(?<version>\\d+)', '(?<version>b)'],
      },
      {
        datasource: 'static',
        releases: [
          {
            version: '1.0',
            releaseTimestamp: '2026-06-30T09:30:00.5Z',
            changelogUrl: 'https://example.com/1',
            deprecated: 'Use 2.',
          },
        ],
      },
    ],
    support: { policy: 'dated', lines: { '2025.1': '2026-03-31', '2026.1': '2027-03-31' }, line: 2 },
  },
  ...[
    { policy: 'none', line: 2 },
    { policy: 'ended', since: '2026-12-31', reason: 'Ended.', line: 1 },
    { policy: 'latest-lines', count: 3 },
  ].map((support) => ({
    title: 'Command line',
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/',
    sources: [],
    support,
  })),
];

export const freshness = {
  checkedOn: '2026-08-22',
  changedOn: '2026-08-20',
  sources: {
    'npm:svc': { answeredOn: '2026-08-22' },
    'maven:com.example:svc': {
      answeredOn: '2026-08-20',
      failures: 2,
      failedOn: '2026-08-22',
      reason: 'GET https://repo.example.com answered 503.',
      heldSince: '2026-08-21',
      pending: ['1.0', '1.1'],
    },
  },
};

export const siteConfig = {
  $schema: 'schema/site.json',
  title: 'Release index',
  description: 'Every release of every component.',
  datasource: 'release-index',
  releasesUrl: 'https://releases.example.com/index',
  repositoryUrl: 'https://github.com/example/release-index',
  staleAfterDays: 3,
  signingPublicKey: `RW${'Qa+/'.repeat(13)}09`,
  hosting: { plan: 'paid' },
};

/** What somebody might write in the place of something else. */
const oddities = [
  ...[undefined, null, true, 0, -0, -1, 1, 2, 3, 1.5, 366, 1201, 10_001, 1e300, [], {}, [''], [{}], { a: 1 }],
  ...[
    '',
    ' ',
    '\t',
    'a\nb',
    '\u0085',
    ' led',
    'ü',
    '\u2028',
    '\uD800',
    '\u00a0',
    '1',
    '01',
    '1.2',
    '2025.1.1',
  ],
  ...[100, 101, 200, 201, 300, 301, 1000, 1001, 2001].map((length) => 'x'.repeat(length)),
  ...['2026-02-28', '2026-02-29', '2026-13-01', '2026-1-1', '2026-06-30T24:00:00Z', '2026-06-30T09:30:00Z'],
  ...[
    'https://example.com/',
    'https://example/',
    'http://example.com/',
    'http://localhost:1/',
    'http://[::1]/',
  ],
  ...[
    'https://user@example.com/',
    'https://example.com:99999/',
    'https://xn--a.example.com/',
    'https://a.b.0x10',
  ],
  ...[
    'https://example.com/\n',
    'https://example.com/"',
    'https://256.256.256.256/',
    'https://example.com/%zz',
  ],
  ...['https://example.com/{version}', 'https://example.com/{v}/{version}', 'https://{version}.example.com/'],
  ...['https://example.com/{{version}}', 'https://example.com/{}', `https://example.com/${'x'.repeat(1981)}`],
  ...['(', '(?<version>', '(?<version>a)', '/(/', '//', '/a/i', '/a/g', '!/a/', '!/', `/${'x'.repeat(999)}/`],
  ...['<1', '>=1.2.3 <2', '<01', '1.x', '^1', '1 ', ' 1', '>=1  <2', '1.2.3.4', '999999999', '1'.repeat(17)],
  ...['npm', 'page', 'term', 'none', 'constructor', '@a/b', 'a:b', 'a/b', 'A/b', 'a:b:c', 'free', 'RW'],
] as const;

const value = fc.oneof(
  { arbitrary: fc.constantFrom(...oddities), weight: 6 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 8 }), weight: 1 },
  { arbitrary: fc.jsonValue({ maxDepth: 1 }), weight: 1 },
);
const keys = ['unknown', '__proto__', 'constructor', '1', '1.2', 'since', 'line', 'packageName'] as const;
const ways = ['replace', 'append', 'remove', 'add', 'repeat', 'turn', 'twin'] as const;

interface Change {
  how: (typeof ways)[number];
  /** Which value of the document, counted from its top. */
  place: number;
  key: string;
  value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  how: fc.constantFrom(...ways),
  place: fc.nat(),
  key: fc.constantFrom(...keys),
  value,
});

/** The document with each one change that could be made to it, as `JSON.parse` gives it. */
export function* everyNeighbour(document: object): Generator<unknown> {
  for (let place = 0; place < countValues(document); place += 1) {
    for (const value of oddities) {
      for (const how of ['replace', 'append'] as const) yield apply(document, { how, place, key: '', value });
    }
    for (const key of keys) {
      for (const how of ways) yield apply(document, { how, place, key, value: {} });
    }
  }
}

/** A document as `JSON.parse` gives it: one of these with at most three changes, or anything at all. */
export function nearly(...documents: readonly object[]): fc.Arbitrary<unknown> {
  const changed = fc
    .tuple(fc.constantFrom(...documents), fc.array(change, { maxLength: 3 }))
    .map(([document, changes]) => changes.reduce<unknown>(apply, structuredClone(document)));
  return fc.oneof({ arbitrary: changed, weight: 20 }, { arbitrary: fc.jsonValue(), weight: 1 });
}

/** One place of the document is changed; objects are handled as entries, so that any key can stand anywhere. */
function apply(document: unknown, wanted: Change): unknown {
  const place = wanted.place % (countValues(document) || 1);
  let at = -1;
  return JSON.parse(JSON.stringify(visit(document)) ?? 'null');

  function visit(node: unknown): unknown {
    at += 1;
    const isHere = at === place;
    if (isHere && wanted.how === 'replace') return wanted.value;
    if (typeof node === 'string' && isHere && wanted.how === 'append')
      return `${node}${String(wanted.value)}`;
    if (Array.isArray(node)) {
      const items = node.map(visit);
      return isHere ? changeItems(items, wanted) : items;
    }
    if (typeof node !== 'object' || node === null) return node;
    const entries = Object.entries(node).map(([name, inner]): [string, unknown] => [name, visit(inner)]);
    return Object.fromEntries(isHere ? changeEntries(entries, wanted) : entries);
  }
}

function changeItems(items: unknown[], { how, value }: Change): unknown[] {
  if (how === 'remove') return items.slice(1);
  if (how === 'add') return [...items, value];
  return how === 'twin' ? [...items, ...items.slice(0, 1)] : items.toReversed();
}

function changeEntries(
  entries: [string, unknown][],
  { how, key, value, place }: Change,
): [string, unknown][] {
  const turn = place % (entries.length || 1);
  if (how === 'remove') return entries.toSpliced(turn, 1);
  if (how === 'add') return [...entries, [key, value]];
  if (how === 'repeat') return [...entries, [key, entries.at(-1)?.[1]]];
  return how === 'turn' ? [...entries.slice(turn), ...entries.slice(0, turn)] : entries;
}

function countValues(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 1;
  return Object.values(node).reduce<number>((sum, inner) => sum + countValues(inner), 1);
}
