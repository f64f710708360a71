import { expect, test } from 'vitest';
import { judgeOn, release, releaseOf } from '../harness/judging.ts';

type Releases = ReturnType<typeof release>[];

const day = '2026-06-01';
const first = { datasource: 'npm', packageName: 'a', allowedVersions: '/^1/' };
const second = { datasource: 'npm', packageName: 'b', allowedVersions: '/^2/' };

function listVersions(releases: Releases, definition = {}, on = day): string[] {
  return judgeOn(on, releases, definition).releases.map(({ version }) => version);
}

test('lists releases in version order, whatever their recorded order', () => {
  const recorded = ['2025.10', '2025.3', '2025.3.1', '2025.3.0', '2025.3-rc-1'];

  expect(listVersions(recorded.map((version) => release(version)))).toEqual([
    ...['2025.3-rc-1', '2025.3', '2025.3.0', '2025.3.1', '2025.10'],
  ]);
});

test.each([
  ['2023-12-31', ['0.9']],
  ['2024-06-01', ['0.9', '1.0', '1.1']],
  ['2025-01-01', ['0.9', '1.0', '1.1', '1.2', '1.3']],
])('on %s, only the releases that existed by that date are listed: %j', (on, expected) => {
  const releases = [
    ...[release('0.9'), release('1.0', '2024-01-01'), release('1.1', '2024-06-01T23:59:59Z')],
    ...[release('1.2', undefined, { firstSeen: '2025-01-01' }), release('1.3')],
  ];

  expect(listVersions(releases, {}, on)).toEqual(expected);
});

test.each<[version: string, sources: string[], more: object, isListed: boolean]>([
  ['1.0', ['npm:a'], {}, true],
  ['2.0', ['npm:a'], {}, false],
  ['2.0', ['npm:a', 'npm:b'], {}, true],
  ['2.0', ['npm:gone'], {}, true],
  ['1.0-rc1', ['npm:a'], {}, false],
  ['1.0-rc1', ['npm:a'], { prereleases: true }, true],
])(
  'lists the version %s of the sources %j under the definition %j: %s',
  (version, sources, more, isListed) => {
    const releases = [release(version, undefined, { sources })];

    expect(listVersions(releases, { sources: [first, second], ...more })).toEqual(
      isListed ? [version] : [],
    );
  },
);

test('a release that its source demoted to a prerelease stays listed, but is never the latest', () => {
  const demoted = { isPrerelease: true, demotedOn: '2026-05-01', sources: ['npm:a'] };
  const releases = [release('1.0'), release('1.1', undefined, demoted)];
  const component = judgeOn(day, releases, { sources: [first] });

  expect(component.latest).toBe('1.0');
  expect(releaseOf(component, '1.1')).toMatchObject({ isPrerelease: true, isDeprecated: false });
});

test("a source's prerelease flag takes precedence over the form of the version", () => {
  const releases = [
    ...[release('1.0'), release('1.1-rc1'), release('1.2', undefined, { isPrerelease: true })],
    release('1.3-rc1', undefined, { isPrerelease: false }),
  ];

  expect(judgeOn(day, releases).releases.map(({ isPrerelease }) => isPrerelease)).toEqual([
    ...[undefined, true, true, undefined],
  ]);
});

test('a release older than the "since" version gets no link from the changelog template', () => {
  const template = 'https://example.com/{version}#{versionDashed}';
  const changelogUrl = 'https://example.com/own';
  const releases = [
    ...[release('1.9'), release('1.10'), release('1.11', undefined, { changelogUrl })],
    release('1.12+CU1'),
  ];
  const component = judgeOn(day, releases, { releaseChangelogUrl: { template, since: '1.10' } });

  expect(component.releases.map((each) => each.changelogUrl)).toEqual([
    ...[undefined, 'https://example.com/1.10#1-10', changelogUrl],
    'https://example.com/1.12%2BCU1#1-12%2BCU1',
  ]);
});

test.each<[versions: string | string[], expected: string[]]>([
  [
    ['3.4.0', '3.04.1'],
    ['v3.4.0', '3.4.1'],
  ],
  ['<3.5.0 || >=4', ['v3.4.0', '3.4.1', '3.4.1.1', '3.5.0-rc.1']],
])(
  'the key "deprecated" with %j in a definition deprecates the releases %j',
  (versions, expected) => {
    const names = ['v3.4.0', '3.4.1', '3.4.1.1', '3.5.0-rc.1', '3.5.0'];
    const component = judgeOn(
      day,
      names.map((version) => release(version)),
      { deprecated: [{ versions, reason: 'Loses data.' }] },
    );
    const deprecated = component.releases.filter(({ isDeprecated }) => isDeprecated);

    expect(deprecated.map(({ version }) => version)).toEqual(expected);
  },
);

test.each<
  [title: string, more: object, definition: object, rules: string[], isDeprecated: boolean]
>([
  [
    'upstream on that date',
    { deprecated: 'use 2', firstSeen: '2024-01-05' },
    {},
    ['upstream 2024-01-05'],
    true,
  ],
  [
    'upstream from a later date',
    { deprecated: 'use 2', deprecatedSince: '2026-06-02' },
    {},
    ['upstream 2026-06-02'],
    false,
  ],
  [
    'nothing if upstream deprecations are ignored',
    { deprecated: 'use 2' },
    { ignoreUpstreamDeprecation: true },
    [],
    false,
  ],
  [
    'its withdrawal, even if upstream deprecations are ignored',
    { withdrawnSince: '2025-02-01' },
    { ignoreUpstreamDeprecation: true },
    ['withdrawn 2025-02-01'],
    true,
  ],
  [
    'the definition from today',
    {},
    { deprecated: [{ versions: ['1.0'], reason: 'Old.', since: day }] },
    [`definition ${day}`],
    true,
  ],
  [
    'the definition from tomorrow',
    {},
    { deprecated: [{ versions: ['1.0'], reason: 'Old.', since: '2026-06-02' }] },
    ['definition 2026-06-02'],
    false,
  ],
  [
    'all four rules, with the rules in force first',
    { deprecated: 'use 2', firstSeen: '2024-02-01' },
    {
      support: { policy: 'term', months: 18 },
      deprecated: [
        { versions: ['1.0'], reason: 'Old.' },
        { versions: '*', reason: 'Bad.', since: '2030-01-01' },
      ],
    },
    [
      'definition undefined',
      'upstream 2024-02-01',
      'support policy 2025-07-02',
      'definition 2030-01-01',
    ],
    true,
  ],
])(
  'the reasons of a deprecation are complete for a release deprecated by %s',
  (_, more, definition, rules, isDeprecated) => {
    const component = judgeOn(day, [release('1.0', '2024-01-01', more)], definition);
    const judged = releaseOf(component, '1.0');

    expect(judged.reasons.map(({ rule, from }) => `${rule} ${from}`)).toEqual(rules);
    for (const { rule, text } of judged.reasons) {
      expect(text === 'Deprecated upstream: use 2').toBe(rule === 'upstream');
    }
    expect(judged.isDeprecated).toBe(isDeprecated);
  },
);
