import { expect, onTestFinished, test } from 'vitest';
import { purlTypes } from '../../../../src/core/model/package-names.ts';
import type { Component } from '../../../../src/decide/component.ts';
import {
  createPackageRules,
  listPackageNames,
} from '../../../../src/site/render/renovate/package-rules.ts';
import { renderPreset } from '../../../../src/site/render/renovate/preset.ts';
import { describePullRequest, type PinnedDependency } from '../../../harness/pull-request.ts';
import { componentOf, site, summariesOf } from '../sites.ts';

function readPreset(components: Parameters<typeof renderPreset>[1]) {
  return JSON.parse(renderPreset(site, components)) as { packageRules: object[] };
}

type Definition = NonNullable<Parameters<typeof componentOf>[1]>;
type Releases = Parameters<typeof componentOf>[0];

const released = (...versions: string[]): Releases => versions.map((version) => ({ version }));

const next = componentOf(released('3.0'), { title: 'Next [one]' }, { name: 'next' });

function componentWith(releases: Releases, definition: Definition): Component {
  const component = componentOf(releases, definition);
  return definition.replacedBy === undefined ? component : { ...component, replacement: next };
}

const advisories = [
  { id: 'CVE-2026-1', affected: '<1.2', fixed: ['1.3'], severity: 'high' as const },
  { id: 'CVE-2026-2', affected: '=1.2' },
];
const dated = (lines: Record<string, string>) => ({ policy: 'dated' as const, lines });
const term = { policy: 'term' as const, months: 12 };
const ofTerm = 'A release line is supported for 12 months from its first release.';
const seen = (version: string, releaseTimestamp: string) =>
  ({ version, releaseTimestamp, timestampKind: 'observed' }) as const;

type Row = [
  pin: string,
  releases: Releases,
  definition: Definition,
  sentences: string[],
  labels: string[],
];

/** The days of the first of two releases, whose second is of 2026-03-01, and how far it is behind. */
const delays: [day: string, behind: string][] = [
  ['2024-02-29', '1 release and 2 years'],
  ['2024-03-01', '1 release and 2 years'],
  ['2024-03-02', '1 release and 23 months'],
  ['2025-12-31', '1 release and 60 days'],
  ['2025-12-30', '1 release and 2 months'],
  ['2026-02-28', '1 release and 1 day'],
  ['2026-03-01', '1 release'],
];

/** The day is 2026-06-30. `1.0 2.0` is a pin on 1.0 for which 2.0 is proposed. */
const rows: Row[] = [
  ['1.0 2.0', released('1.0', '2.0'), {}, [behind('2.0')], []],
  ...delays.map(([day, delay]): Row => [
    '1.0 2.0',
    [
      { version: '1.0', releaseTimestamp: day },
      { version: '2.0', releaseTimestamp: '2026-03-01' },
    ],
    {},
    [behind('2.0', delay)],
    [],
  ]),
  [
    '1.0 1.3',
    released('1.0', '1.3'),
    { advisories },
    affected('high; fixed in 1.3', '1.3'),
    ['security'],
  ],
  [
    '1.2 1.3',
    released('1.2', '1.3'),
    { advisories },
    ['Affected by CVE-2026-2.', '1.3 fixes CVE-2026-1 (high).', behind('1.3')],
    ['security'],
  ],
  ['1.3 1.2', released('1.2', '1.3'), { advisories }, ['1.2 is affected by CVE-2026-2.'], []],
  [
    '1.2 1.3',
    released('1.2', '1.3'),
    { advisories: advisories.slice(0, 1) },
    ['1.3 fixes CVE-2026-1 (high).', behind('1.3')],
    ['security'],
  ],
  [
    '1.0 1.2',
    released('1.0', '1.2'),
    {
      advisories: [
        { id: 'CVE-2026-3', affected: '<1.2', fixed: ['1.2'] },
        { id: 'CVE-2026-4', affected: '=1.2' },
      ],
    },
    ['Affected by CVE-2026-3 (fixed in 1.2).', '1.2 is affected by CVE-2026-4.', behind('1.2')],
    ['security'],
  ],
  [
    '1.0 1.3',
    released('1.0', '1.3'),
    {
      advisories: [1, 2, 3, 4].map((id) => ({
        id: `CVE-2026-${id}`,
        affected: '<1.3',
        fixed: ['1.3'],
      })),
    },
    [
      'Affected by CVE-2026-1 (fixed in 1.3), CVE-2026-2 (fixed in 1.3), CVE-2026-3 (fixed in 1.3) and 1 more.',
      '1.3 fixes CVE-2026-1, CVE-2026-2, CVE-2026-3 and 1 more.',
      behind('1.3'),
    ],
    ['security'],
  ],
  [
    '1.0 1.1',
    [{ version: '1.0', withdrawnSince: '2026-06-20' }, { version: '1.1' }],
    { support: dated({ '1.0': '2026-05-31' }) },
    ['Upstream has not listed it since 2026-06-20.', 'End of support: 2026-05-31.'],
    ['deprecated', 'unsupported'],
  ],
  [
    '1.0 2.0',
    released('1.0', '2.0'),
    { support: dated({ '1.0': '2026-07-31', '2.0': '2028-12-31' }) },
    ['End of support: 2026-07-31.', 'End of support of 2.0: 2028-12-31.'],
    ['support-ends'],
  ],
  [
    '1.0 1.0.1',
    released('1.0', '1.0.1'),
    { support: dated({ '1.0': '2026-09-28' }) },
    ['End of support: 2026-09-28.'],
    ['support-ends'],
  ],
  [
    '1.0 1.0.1',
    released('1.0', '1.0.1'),
    { support: dated({ '1.0': '2026-09-29' }) },
    ['End of support: 2026-09-29.'],
    [],
  ],
  [
    'v1.0 v1.0.1',
    released('v1.0', 'v1.0.1'),
    { support: dated({ '1.0': '2999-12-31' }) },
    ['End of support: 2999-12-31.'],
    [],
  ],
  [
    '1.0 2.0',
    released('1.0'),
    { support: { policy: 'ended' } },
    ['Support has ended.'],
    ['unsupported'],
  ],
  [
    '1.0 2.0',
    released('1.0', '2.0'),
    { support: { policy: 'ended' } },
    ['Support has ended.', 'Support of 2.0 has ended.'],
    ['unsupported'],
  ],
  [
    '1.0 2.0',
    released('1.0', '2.0'),
    { support: { policy: 'ended', deprecatedFrom: '2026-06-01', inferred: 'No fix since 2024' } },
    [
      'Support has ended. Deprecated from 2026-06-01 on. Inferred: No fix since 2024.',
      'Support of 2.0 has ended.',
    ],
    ['unsupported'],
  ],
  [
    '1.0 1.0.1',
    released('1.0', '1.0.1'),
    { support: { policy: 'ended', until: '2026-05-31', deprecatedFrom: '2026-06-01' } },
    ['End of support: 2026-05-31.'],
    ['unsupported'],
  ],
  [
    '1.0 1.0.1',
    released('1.0', '1.0.1'),
    { support: { policy: 'ended', until: '2026-06-01', deprecatedFrom: '2026-06-01' } },
    ['End of support: 2026-06-01. Deprecated from 2026-06-01 on.'],
    ['unsupported'],
  ],
  [
    '1.0 1.0.1',
    released('1.0', '1.0.1'),
    { support: { ...dated({ '1.0': '2026-05-31' }), inferred: 'As announced' } },
    ['End of support: 2026-05-31. Inferred: As announced.'],
    ['unsupported'],
  ],
  [
    '2.0 3.0',
    released('1.0', '2.0', '3.0'),
    { support: { policy: 'latest-lines', count: 2 } },
    [behind('3.0')],
    [],
  ],
  [
    '20.1 22.1',
    released('20.1', '22.1'),
    { support: { ...dated({ '20': '2026-01-31', '22': '2027-01-31' }), line: 1 } as never },
    ['End of support: 2026-01-31.', 'End of support of 22.1: 2027-01-31.'],
    ['unsupported'],
  ],
  [
    '1.0 1.1',
    [
      { version: '1.0', releaseTimestamp: '2024-01-31' },
      { version: '1.1', releaseTimestamp: '2026-01-31' },
    ],
    { support: term },
    [`End of support: 2025-01-31. ${ofTerm}`, 'End of support of 1.1: 2027-01-31.'],
    ['unsupported'],
  ],
  [
    '1.0 1.1',
    [
      { version: '1.0', releaseTimestamp: '2024-01-31' },
      { version: '1.1', releaseTimestamp: '2026-01-31' },
    ],
    { support: { ...term, lts: { lines: ['1.0'], phases: [{ name: 'security', months: 36 }] } } },
    [
      `End of support: 2027-01-31. ${ofTerm} With long-term support, in months: security until 36.`,
      'End of support of 1.1: 2027-01-31.',
    ],
    [],
  ],
  [
    '1.0 1.1',
    [seen('1.0', '2025-07-31'), seen('1.1', '2026-01-31')],
    { support: term },
    [
      `End of support: on or before 2026-07-31. ${ofTerm}`,
      'End of support of 1.1: on or before 2027-01-31.',
    ],
    ['support-ends'],
  ],
  [
    '1.0 1.1',
    [seen('1.0', '2023-07-31'), seen('1.1', '2026-01-31')],
    { support: term },
    [
      `End of support: on or before 2024-07-31. ${ofTerm}`,
      'End of support of 1.1: on or before 2027-01-31.',
    ],
    ['unsupported'],
  ],
  [
    '1.1 1.1',
    [seen('1.0', '2023-07-31'), seen('1.1', '2026-01-31')],
    { support: term },
    [`End of support: on or before 2027-01-31. ${ofTerm}`],
    ['support-ends'],
  ],
  [
    '1.0 1.1',
    released('1.0', '1.1'),
    {
      deprecated: [
        {
          versions: ['1.0'],
          reason: 'Loses\u200b @all {{data}}: see www.example.com, http://x.y or #1',
          since: '2026-06-01',
        },
      ],
    },
    [
      behind('1.1'),
      'Deprecated: Loses @&#8203;all &#123;&#123;data&#125;&#125;: see www.&#8203;example.com, http&#58;//x.y or #&#8203;1. Since 2026-06-01.',
    ],
    ['deprecated'],
  ],
  [
    'v1.0 v1.1',
    [{ version: 'v1.0', deprecated: 'Broken' }, { version: 'v1.1' }],
    { deprecated: [{ versions: ['v1.0'], reason: 'Old' }] },
    [behind('v1.1'), 'Deprecated: Old. Deprecated upstream: Broken.'],
    ['deprecated'],
  ],
  [
    '1.0 1.1',
    released('1.0', '1.1'),
    { deprecated: [{ versions: ['1.0'], reason: 'Old.', since: '2999-01-01' }] },
    [behind('1.1'), 'Deprecated from 2999-01-01 on: Old.'],
    [],
  ],
  [
    '1.0 ',
    released('1.0'),
    {
      support: {
        policy: 'ended',
        until: '2999-12-31',
        deprecatedFrom: '2026-06-01',
        reason: 'Go.',
      },
      replacedBy: 'next',
    },
    [
      'End of support: 2999-12-31. Go. Deprecated from 2026-06-01 on.',
      'Replaced by [Next &#91;one&#93;](https://releases.example.com/next.html).',
    ],
    ['deprecated'],
  ],
];

function affected(details: string, proposed: string): string[] {
  return [
    `Affected by CVE-2026-1 (${details}).`,
    `${proposed} fixes CVE-2026-1 (high).`,
    behind(proposed),
  ];
}

function behind(latest: string, delay = '1 release'): string {
  return `No end of support is stated. The newest release of its line is ${delay} behind ${latest}.`;
}

const image = { datasource: 'docker', packageName: 'docker.io/example/svc' };
const sources: Definition['sources'] = [{ datasource: 'docker', packageName: 'example/svc' }];

test.each(rows)(
  'a pull request for %s says what is known, and no more',
  async (pin, releases, definition, sentences, labels) => {
    const [version = '', newVersion = ''] = pin.split(' ');
    const component = componentWith(releases, { ...definition, sources });
    const configuration = readPreset(summariesOf(component));
    const link = `${site.baseUrl}/svc.html#v${version}`;
    const expected = {
      note: sentences.length === 0 ? '' : `**[svc ${version}](${link})**: ${sentences.join(' ')}`,
      labels: labels.toSorted(),
    };
    const commented = { datasource: 'custom.release-index', packageName: 'svc' };
    const versions = { currentValue: version, ...(newVersion !== '' && { newVersion }) };
    const dependencies: PinnedDependency[] = [
      { ...commented, ...versions, currentVersion: version },
      // Where Renovate parses no version.
      { ...commented, ...versions },
      { ...image, ...versions, currentVersion: version },
      // The version in use of a range.
      { ...image, ...versions, currentValue: `>=${version} <99`, currentVersion: version },
    ];

    for (const dependency of dependencies) {
      const { note, labels: given } = await describePullRequest(configuration, dependency);

      expect({ note, labels: given.toSorted() }).toEqual(expected);
    }
  },
);

test('each sentence of the template is in the note of some example', async () => {
  const written = new Set<string>();
  const rendered = new Set<string>();
  const numberSentences = (template: string) =>
    template.split(/(?<=as \|words\|\}\})/).reduce((text, sentence, index) => {
      written.add(String(index));
      return `${text}<${index}>${sentence}`;
    });

  for (const [pin, releases, definition] of rows) {
    const [currentValue = '', newVersion = ''] = pin.split(' ');
    const rules = readPreset(summariesOf(componentWith(releases, definition))).packageRules;
    const packageRules = rules.map((rule: { prBodyNotes?: string[] }) => ({
      ...rule,
      prBodyNotes: rule.prBodyNotes?.map(numberSentences),
    }));
    const { note } = await describePullRequest(
      { packageRules },
      { datasource: 'custom.release-index', packageName: 'svc', currentValue, newVersion },
    );
    for (const [, number] of note.matchAll(/<(\d+)>(?=[^<\s])/g)) {
      rendered.add(number!);
    }
  }

  expect(written).not.toEqual(new Set());
  expect(rendered).toEqual(written);
});

const note = async (components: readonly Component[], packageName: string, version: string) =>
  describePullRequest(readPreset(summariesOf(...components)), {
    datasource: 'custom.release-index',
    packageName,
    currentValue: version,
  }).then((described) => described.note.replace(/^\*\*.+?\*\*: /, ''));

test('each component has its own facts and policy', async () => {
  const days = [
    { version: '1.0', releaseTimestamp: '2024-01-31' },
    { version: '1.1', releaseTimestamp: '2026-01-31' },
  ];
  const components = [
    componentOf(released('1.0'), {}, { name: 'no-facts' }),
    componentOf(days, { support: { policy: 'term', months: 24 } }, { name: 'two-years' }),
    componentOf(days, { support: term }, { name: 'one-year' }),
  ];

  expect(await note(components, 'two-years', '1.0')).toBe(
    'End of support: 2026-01-31. A release line is supported for 24 months from its first release.',
  );
  expect(await note(components, 'one-year', '1.0')).toBe(`End of support: 2025-01-31. ${ofTerm}`);
  expect(await note(components, 'no-facts', '1.0')).toBe('');
});

test('an old line is behind, however many newer ones have an end', async () => {
  const newer = Array.from({ length: 30 }, (_, place) => `${place + 2}.0`);
  const ends = Object.fromEntries(newer.map((line) => [line, '2999-12-31']));
  const versions = released(...newer, '40.0', '41.0');
  const component = componentOf(versions, { support: dated(ends) });

  expect(await note([component], 'svc', '40.0')).toBe(behind('41.0'));
  expect(await note([component], 'svc', '41.0')).toBe('');
});

test('a line with one number in its name is found beside lines with two', async () => {
  const ends = {
    '9.6': '2021-11-11',
    '17': '2026-08-08',
    '17.5': '2029-01-01',
    '18': '2030-11-14',
  };
  const versions = released('9.6.24', '17.0', '17.1', '17.5', '18', '18.1');
  const component = componentOf(versions, { support: dated(ends) });
  const preset = readPreset(summariesOf(component));
  const describe = async (currentVersion: string, newVersion = '18.1') => {
    const pin = { datasource: 'custom.release-index', packageName: 'svc', newVersion };
    const { note, labels } = await describePullRequest(preset, {
      ...pin,
      currentValue: currentVersion,
      currentVersion,
    });
    return [note.replace(/^\*\*.+?\*\*: /, ''), ...labels];
  };

  const newEnd = 'End of support of 18.1: 2030-11-14.';
  expect(await describe('9.6.24')).toEqual([
    `End of support: 2021-11-11. ${newEnd}`,
    'unsupported',
  ]);
  for (const version of ['17.0', 'v17.1.2', '17.9', '17']) {
    const note = `End of support: 2026-08-08. ${newEnd}`;
    expect(await describe(version)).toEqual([note, 'support-ends']);
  }
  expect(await describe('17.5.1')).toEqual([`End of support: 2029-01-01. ${newEnd}`]);
  expect(await describe('17.0', '17.1')).toEqual(['End of support: 2026-08-08.', 'support-ends']);
  expect(await describe('18')).toEqual(['End of support: 2030-11-14.']);
});

test('where nothing is known, there is no rule for notes and labels', () => {
  const prereleases = componentOf(released('4-rc1', '4.2-rc1'), { prereleases: true });
  const summaries = summariesOf(componentOf(released('1.0')), prereleases);
  const { packageRules } = readPreset(summaries);

  expect(packageRules.filter((rule) => 'prBodyNotes' in rule || 'addLabels' in rule)).toEqual([]);
});

test('a package of an alias has the note, in each form of a name', async () => {
  const component = componentOf(released('1.0', '2.0'), {
    sources: [
      { datasource: 'page', url: 'https://example.com/', matchStrings: ['(?<version>x)'] } as never,
    ],
    aliases: [
      'pkg:npm/%40example/svc',
      'pkg:npm/svc%3C1',
      'pkg:maven/com.example/svc',
      'pkg:docker/example/svc',
      'pkg:generic/svc',
      'Our server',
    ],
  });
  const configuration = readPreset(summariesOf(component));

  for (const [datasource, packageName] of [
    ['npm', '@example/svc'],
    ['maven', 'com.example:svc'],
    ['docker', 'example/svc'],
    ['docker', 'docker.io/example/svc'],
  ] as const) {
    const dependency = { datasource, packageName, currentValue: '1.0' };
    const described = await describePullRequest(configuration, dependency);
    expect([packageName, described.note]).toEqual([
      packageName,
      `**[svc 1.0](${site.baseUrl}/svc.html#v1.0)**: ${behind('2.0')}`,
    ]);
  }
  for (const [datasource, packageName] of [
    ['npm', 'example/svc'],
    ['pypi', '@example/svc'],
    ['docker', 'com.example:svc'],
  ] as const) {
    const dependency = { datasource, packageName, currentValue: '1.0' };
    expect(await describePullRequest(configuration, dependency)).toEqual({ note: '', labels: [] });
  }
  expect(listPackageNames({ name: 'svc', definition: component.definition })).toEqual([
    '@example/svc',
    'svc<1',
    'com.example:svc',
    'example/svc',
  ]);
});

test('an alias is only of the datasources of its type that Renovate has', () => {
  Object.assign(purlTypes, { page: 'npm' });
  onTestFinished(() => {
    Reflect.deleteProperty(purlTypes, 'page');
  });
  const component = componentOf(released('1.0'), { aliases: ['pkg:npm/kit'] });

  const [rule] = createPackageRules('custom.index', 'index', summariesOf(component));

  expect(rule).toMatchObject({ matchDatasources: ['npm'], matchPackageNames: ['kit'] });
});

test.each([
  ['docker/example/kit?repository_url=ghcr.io', 'ghcr.io/example/kit'],
  ['docker/example/kit?repository_url=https://ghcr.io/', 'ghcr.io/example/kit'],
  ['docker/example/kit?repository_url=oci://ghcr.io/example/kit', 'ghcr.io/example/kit'],
  ['docker/example/kit?repository_url=index.docker.io', 'example/kit'],
  ['docker/example/kit?repository_url=https://hub.docker.com', 'example/kit'],
  ['docker/index.docker.io/library/kit', 'kit'],
  ['oci/kit?repository_url=index.docker.io/example/kit', 'example/kit'],
  ['oci/kit?repository_url=oci://ghcr.io/example/kit', 'ghcr.io/example/kit'],
])('the image pkg:%s is %s in Renovate', (path, name) => {
  const { definition } = componentOf(released('1.0'), { aliases: [`pkg:${path}`] });

  expect(listPackageNames({ name: 'svc', definition })).toEqual([name]);
});

test('only an image has a second name in Renovate, by its hub', () => {
  const component = componentOf(released('1.0'), {
    aliases: ['pkg:npm/kit', 'pkg:docker/example/kit'],
  });
  const configuration = JSON.stringify(readPreset(summariesOf(component)));

  expect(configuration).toContain('docker.io/example/kit');
  expect(configuration).not.toContain('docker.io/kit');
});

test('an alias finds a package of PyPI by the name that Renovate gives it', async () => {
  const component = componentOf(released('1.0', '2.0'), { aliases: ['pkg:pypi/Kit_Tools'] });
  const dependency = { datasource: 'pypi', packageName: 'kit-tools', currentValue: '1.0' };

  const { note } = await describePullRequest(readPreset(summariesOf(component)), dependency);

  expect(note).toContain('[svc 1.0]');
});

test('a package of others, a range and an unknown version get no note and no label', async () => {
  const component = componentOf(released('1.0', '2.0'), {
    sources,
    support: dated({ '1.0': '2026-01-31', '2.0': '2026-02-28' }),
  });
  const configuration = readPreset(summariesOf(component));

  for (const dependency of [
    { ...image, packageName: 'example/other', currentValue: '1.0' },
    { ...image, datasource: 'helm', currentValue: '1.0' },
    { ...image, currentValue: '>=1.0' },
    { ...image, currentValue: 'latest' },
    { ...image, currentValue: '3.0', newVersion: '4.0' },
  ]) {
    expect(await describePullRequest(configuration, dependency)).toEqual({ note: '', labels: [] });
  }
});

test('an index of 403 components keeps the day of every line within 200 kB', async () => {
  const lines = Array.from({ length: 26 }, (_, place) => `${2000 + place}.1`);
  const ends = Object.fromEntries(lines.map((line, place) => [line, `${2002 + place}-03-01`]));
  const summaries = Array.from({ length: 403 }, (_, index) => {
    const definition = { support: dated(ends), sources: [] };
    return summariesOf(componentOf(released(...lines), definition, { name: `c${index}` }))[0]!;
  });
  const configuration = readPreset(summaries);

  expect(JSON.stringify(configuration).length).toBeLessThan(200_000);
  for (const [line, end] of Object.entries(ends)) {
    const { note } = await describePullRequest(configuration, {
      datasource: 'custom.release-index',
      packageName: 'c402',
      currentValue: line,
    });
    expect(note).toContain(`: End of support: ${end}.`);
  }
});

test('an index of 403 components without a policy says how far the newest lines are behind, within 200 kB', async () => {
  const lines = Array.from({ length: 26 }, (_, place) => `${2000 + place}.1`);
  const components = Array.from({ length: 403 }, (_, index) =>
    componentOf(released(...lines), {}, { name: `c${index}` }),
  );

  expect(JSON.stringify(readPreset(summariesOf(...components))).length).toBeLessThan(200_000);
  expect(await note(components, 'c402', '2024.1')).toBe(behind('2025.1'));
  expect(await note(components, 'c402', '2010.1')).toBe('');
  expect(await note(components.slice(0, 1), 'c0', '2010.1')).toContain('15 releases behind 2025.1');
});
