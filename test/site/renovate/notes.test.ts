import jsonata from 'jsonata';
import { expect, test } from 'vitest';
import { writeLabelCondition, writeTemplate } from '../../../src/site/renovate/note-languages.ts';
import { createNoteRules } from '../../../src/site/renovate/note-rules.ts';
import { createPatternWriter } from '../../../src/site/renovate/note-versions.ts';
import { listNotes } from '../../../src/site/renovate/notes.ts';
import { judgeComponents, type Facts } from '../../harness/components.ts';

/** Returns the name of each line with two of its versions: `2` → `2`, `2.0`, `2.9`. */
const expand = (...lines: string[]) => lines.flatMap((line) => [line, `${line}.0`, `${line}.9`]);
const samples = [
  ...expand('1.0', '2', '3.1', '4.0'),
  '1.09',
  '5.00.2',
  '3',
  '10',
  '20',
  '31',
  '4',
  '40',
];

function findSamples(pattern: string): string {
  return samples.filter((version) => new RegExp(`^${pattern}$`).test(version)).join(', ');
}

/** Returns each note as one line: the versions to which it applies, its labels and its text. */
function describeNotes(facts: Facts): string[] {
  const index = judgeComponents({ svc: facts, next: { definition: { title: 'The #1' } } });
  const svc = index.components.find(({ component }) => component === 'svc')!;
  const writePatterns = createPatternWriter(svc);
  return listNotes(svc, index, '2024-11-27').map((note) => {
    const { labels, words } = note;
    const { current, proposed, notCurrent } = writePatterns(note);
    const places = [
      current && `in use ${findSamples(current)}`,
      proposed && `proposed ${findSamples(proposed)}`,
      notCurrent && `not in use ${findSamples(notCurrent)}`,
      labels.join(' '),
    ].filter(Boolean);
    return [...places, words].join(': ');
  });
}

const releases = {
  '1.0': '2024-01-01',
  v2: '2025-01-02',
  '3.1.0': '2025-04-03',
  '4.0': '2026-01-01',
};
const two = { '1.0': '2024-01-01', '4.0': '2026-01-01' };
const lines = { '1.0': '2026-11-01', '2': '2026-11-02', '3.1': '2026-12-30', '4.0': '2028-01-01' };

const ofLines = (...names: string[]) => `in use ${expand(...names).join(', ')}`;
const only = (...names: string[]) =>
  `in use ${names.flatMap((name) => [name, `${name}.0`]).join(', ')}`;
const propose = (line: string, words: string) =>
  `proposed ${expand(line).join(', ')}: not ${ofLines(line)}: Support of the proposed version: ${words}.`;
const proposeEnded = (lines: string[], words: string) =>
  `proposed ${expand(...lines).join(', ')}: Support of the proposed version has ended${words}`;
const end = (line: string, day: string) =>
  `${day}. End of support of ${line}: ${day}, according to the definition.`;
const dated = (ends: object): Facts => ({
  releases,
  definition: { support: { policy: 'dated', lines: ends } },
});
const ended = 'unsupported: Support of this version ended';

test.each<[title: string, facts: Facts, notes: string[]]>([
  [
    'end dates',
    dated(lines),
    [
      `${ofLines('3.1')}: support-ends: Support: until ${end('3.1', '2026-12-30')}`,
      `${ofLines('4.0')}: Support: until ${end('4.0', '2028-01-01')}`,
      `${ofLines('1.0')}: ${ended} ${end('1.0', '2026-11-01')}`,
      `${ofLines('2')}: ${ended} ${end('2', '2026-11-02')}`,
      propose('3.1', 'until 2026-12-30'),
      propose('4.0', 'until 2028-01-01'),
      proposeEnded(['1.0', '2'], '. Move to 4.0.'),
    ],
  ],
  [
    'inferred terms',
    {
      releases: two,
      definition: { support: { policy: 'term', months: 20, inferred: 'So far.' } },
    },
    [
      `${ofLines('4.0')}: Support: until 2027-09-01. Estimated: 20 months from its first release on 2026-01-01.`,
      `${ofLines('1.0')}: ${ended} 2025-09-01 (estimated). Estimated: 20 months from its first release on 2024-01-01.`,
      propose('4.0', 'until 2027-09-01 (estimated)'),
      proposeEnded(['1.0'], ' (estimated). Move to 4.0.'),
    ],
  ],
  [
    'paid support',
    {
      releases: two,
      definition: {
        support: {
          policy: 'term',
          url: 'https://example.com/support',
          phases: [
            { name: 'standard', months: 20 },
            { name: 'extended', months: 36, paid: true },
          ],
        },
      },
    },
    [
      `${ofLines('4.0')}: Support: until 2027-09-01. Paid support lasts until 2029-01-01. 20 months of phase standard from its first release on 2026-01-01, according to example.com.`,
      `${ofLines('1.0')}: ${ended} 2025-09-01. Paid support lasts until 2027-01-01. 20 months of phase standard from its first release on 2024-01-01, according to example.com.`,
      propose('4.0', 'until 2027-09-01'),
      proposeEnded(['1.0'], '. Move to 4.0.'),
    ],
  ],
  [
    'a replacement',
    {
      releases: two,
      definition: { replacedBy: 'next', support: { policy: 'ended' } },
    },
    [
      `${ofLines('1.0', '4.0')}: ${ended}. Support has ended, according to the definition.`,
      proposeEnded(['1.0', '4.0'], '. There is nothing to move to yet.'),
      'Replaced by [The #&#8203;1](https://releases.example.com/next.html).',
    ],
  ],
  [
    'advisories',
    {
      releases,
      definition: {
        advisories: [
          { id: 'CVE-2026-1', affected: '<3', fixed: ['3.1.0'], severity: 'high' },
          { id: 'CVE-2026-2', affected: '=2', fixed: ['3.1.0'] },
        ],
      },
    },
    [
      `${only('1.0')}: security: Affected by CVE-2026-1 (high).`,
      `${only('2')}: security: Affected by CVE-2026-1, CVE-2026-2 (high).`,
      'proposed 1.0: security: The proposed version is affected by CVE-2026-1.',
      'proposed 2: security: The proposed version is affected by CVE-2026-1, CVE-2026-2.',
      'proposed 3.1.0: security: The proposed version fixes CVE-2026-1, CVE-2026-2.',
    ],
  ],
  [
    'a deprecation before the end of support, with its reason only once',
    {
      releases: { '4.0': '2026-01-01' },
      definition: { support: { policy: 'ended', until: '2027-12-31', reason: 'Use next.' } },
    },
    [
      `${ofLines('4.0')}: Support: until 2027-12-31. Use next.`,
      propose('4.0', 'until 2027-12-31'),
      `${only('4.0')}: deprecated: Deprecated.`,
    ],
  ],
  [
    'deprecations',
    {
      releases,
      definition: {
        deprecated: [
          { versions: '<3', reason: 'Bad [x](y) @all, see www.a and http://b' },
          { versions: '>3', reason: 'Soon', since: '2027-01-01' },
        ],
      },
    },
    [
      `${only('1.0', '2')}: deprecated: Deprecated: Bad &#91;x&#93;(y) @&#8203;all, see www.&#8203;a and http:&#8203;//b.`,
    ],
  ],
  [
    'a deprecation by upstream',
    { releases: [{ version: '1.0', sources: [], deprecated: 'Use 2', firstSeen: '2024-01-01' }] },
    [`${only('1.0')}: deprecated: Deprecated upstream: Use 2.`],
  ],
  [
    'a line in another spelling, and a line inside another line',
    {
      releases: {
        '5.0.2': '2024-01-01',
        '3': '2024-01-01',
        '3.1.0': '2024-01-01',
      },
      definition: {
        support: {
          policy: 'dated',
          lines: { '05.00': '2026-11-01', '3': '2028-01-01', '3.1': '2026-11-02' },
        },
      },
    },
    [
      'in use 3: Support: until 2028-01-01. End of support of 3: 2028-01-01, according to the definition.',
      `${ofLines('3.1')}: ${ended} ${end('3.1', '2026-11-02')}`,
      `in use 5.00.2: ${ended} ${end('05.00', '2026-11-01')}`,
      'proposed 3: not in use 3: Support of the proposed version: until 2028-01-01.',
      'proposed 3.1, 3.1.0, 3.1.9, 5.00.2: Support of the proposed version has ended. There is nothing to move to yet.',
    ],
  ],
  [
    'a release that is listed in two spellings',
    {
      releases: [
        { version: '1.0', sources: [], deprecated: 'Use 2', firstSeen: '2024-01-01' },
        { version: '1.0.0', sources: [] },
      ],
    },
    ['in use 1.0: deprecated: Deprecated upstream: Use 2.'],
  ],
  [
    'lines that ended long ago, which share a note with the latest date',
    dated({ '1.0': '2024-10-08', '2': '2023-01-31', '3.1': '2024-11-27' }),
    [
      `${ofLines('1.0', '2')}: ${ended} by 2024-10-08. The support of each release line ends on a listed date.`,
      `${ofLines('3.1')}: ${ended} ${end('3.1', '2024-11-27')}`,
      proposeEnded(['1.0', '2', '3.1'], '. Move to 4.0.'),
    ],
  ],
])('Renovate notes are written about %s', (_, facts, notes) => {
  expect(describeNotes(facts)).toEqual(notes);
});

test('two components with the same package name get separate Renovate rules', () => {
  const ofPackage = (datasource: string, packageName: string): Facts => ({
    releases: { '1.0': '2024-01-01' },
    definition: { support: { policy: 'ended' }, sources: [{ datasource, packageName }] },
  });
  const index = judgeComponents({
    a: ofPackage('npm', 'a'),
    b: ofPackage('npm', 'Redis'),
    c: ofPackage('docker', 'redis'),
    silent: { releases: { '1.0': '2024-01-01' } },
  });
  const rules = createNoteRules(index).rules as { matchPackageNames: string[]; addLabels?: [] }[];

  expect(rules.map(({ matchPackageNames: [names], addLabels }) => [names, addLabels])).toEqual([
    ['/^(?:a|b|redis)$/i', undefined],
    ['/^(?:a|b|redis)$/i', ['unsupported']],
    ['/^(?:c|redis|library/redis|docker\\.io/redis|docker\\.io/library/redis)$/i', undefined],
    ['/^(?:c|redis|library/redis|docker\\.io/redis|docker\\.io/library/redis)$/i', ['unsupported']],
  ]);
});

test.each([
  ['nuget', 'Newtonsoft.Json', 'Newtonsoft.Json', true],
  ['nuget', 'Newtonsoft.Json', 'newtonsoft.json', true],
  ['go', 'github.com/BurntSushi/toml', 'github.com/BurntSushi/toml', true],
  ['npm', 'redis', 'Redis', true],
  ['npm', 'redis', 'redis-cli', false],
])(
  'a Renovate rule ignores the case of package names: %s package %s, found name %s, match %s',
  async (datasource, name, found, applies) => {
    const index = judgeComponents({
      svc: {
        releases: { '1.0': '2024-01-01' },
        definition: { support: { policy: 'ended' }, sources: [{ datasource, packageName: name }] },
      },
    });
    const [rule] = createNoteRules(index).rules as { matchJsonata: string[] }[];
    const isMatch: unknown = await jsonata(rule!.matchJsonata[0]!).evaluate({
      datasource,
      packageName: found,
      updateType: 'major',
    });

    expect(isMatch).toBe(applies);
  },
);

const head =
  "{{#with (toObject 'name' (lowercase packageName)" +
  String.raw` 'inUse' (replace '^\[(null,)?"|".*' '' (toJSON (toArray currentVersion currentValue)))` +
  String.raw` 'current' (replace '^v' '' (lowercase (replace '^\[(null,)?"|".*' '' (toJSON (toArray currentVersion currentValue)))))` +
  " 'proposed' (replace '^v' '' (lowercase newVersion)))}}";

test('a Renovate note becomes a Handlebars template and a JSONata condition', () => {
  const subject = {
    names: ['svc', "o'"],
    heading: '**Server**: ',
    notes: [
      {
        current: String.raw`1\.2(?:\D.*)?`,
        proposed: '2',
        notCurrent: '1/2',
        labels: ['unsupported'],
        words: 'Ended.',
      },
      { labels: [], words: 'Replaced.' },
    ],
  };

  expect(writeTemplate([subject])).toBe(
    String.raw`${head}{{#if (includes (toArray 'svc' 'o\'') name)}}` +
      String.raw`{{#if (replace '^(1\.2(?:\D.*)?)$|^.*$' '$1' current)}}` +
      "{{#if (replace '^(2)$|^.*$' '$1' proposed)}}" +
      "{{#unless (replace '^(1/2)$|^.*$' '$1' current)}}" +
      '**Server**: Ended.\n\n{{/unless}}{{/if}}{{/if}}' +
      '**Server**: Replaced.\n\n{{/if}}{{/with}}',
  );
  expect(writeLabelCondition([subject], 'unsupported')).toBe(
    String.raw`$contains(packageName & " " & (currentVersion ? currentVersion : currentValue), /^(?:(?:svc|o') v?1\.2(?:\D.*)?)$/i)` +
      String.raw` or $contains(packageName & " " & newVersion, /^(?:(?:svc|o') v?2)$/i)`,
  );
  expect(writeLabelCondition([subject], 'other')).toBe('');
});

test('a Renovate note about a single package tests for exactly that package name', () => {
  const subject = {
    names: ['svc'],
    heading: '**Server**: ',
    notes: [{ labels: [], words: 'Replaced.' }],
  };

  expect(writeTemplate([subject])).toBe(
    `${head}{{#if (equals 'svc' name)}}**Server**: Replaced.\n\n{{/if}}{{/with}}`,
  );
});

test('if an index has more than 1,000 Renovate notes, notes without a label are left out', () => {
  const numbers = Array.from({ length: 30 }, (_, place) => place + 10);
  const many: Facts = {
    releases: Object.fromEntries(['9.0', ...numbers].map((version) => [version, '2024-01-01'])),
    definition: {
      support: {
        policy: 'dated',
        lines: {
          9: '2026-01-01',
          ...Object.fromEntries(numbers.map((line) => [line, `20${line + 20}-01-01`])),
        },
      },
    },
  };
  const names = Array.from({ length: 20 }, (_, place) => `many-${place}`);
  const index = judgeComponents(Object.fromEntries(names.map((name) => [name, many])));
  const { rules, warnings } = createNoteRules(index);
  const words = JSON.stringify(rules).match(/Support[^.{]*/g)!;

  expect(
    Object.entries(Object.groupBy(words, (text) => text)).map(([text, all]) => [text, all!.length]),
  ).toEqual([
    ['Support of this version ended 2026-01-01', 20],
    ['Support of the proposed version has ended', 20],
  ]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'leaves out 1,200 notes without a label, because there are more than 1,000',
  ]);
});
