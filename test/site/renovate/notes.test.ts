import { expect, test } from 'vitest';
import { createNotes } from '../../../src/site/renovate/notes.ts';
import { judgeComponents, type Facts } from '../../harness/components.ts';

const heading =
  '**[The svc](https://releases.example.com/svc.html#v{{#if currentVersion}}{{{currentVersion}}}{{else}}{{{currentValue}}}{{/if}})**: ';

/** Each note in a line: its conditions, labels and words. */
function listNotes(facts: Facts, datesEnds = true): string[] {
  const index = judgeComponents({ svc: facts, next: { definition: { title: 'The #1' } } });
  const svc = index.components.find(({ component }) => component === 'svc')!;
  return createNotes(svc, index, datesEnds).map(
    ({ matchCurrentVersion, matchJsonata, addLabels, prBodyNotes: [words = ''] }) =>
      [matchCurrentVersion, matchJsonata, addLabels, words.replace(heading, '')]
        .filter((part) => part !== undefined)
        .join(' '),
  );
}

const releases = {
  '1.0': '2024-01-01',
  v2: '2025-01-02',
  '3.1.0': '2025-04-03',
  '4.0': '2026-01-01',
} as const;
const lines = { '1.0': '2026-11-01', '2': '2026-11-02', '3.1': '2026-12-30', '4.0': '2028-01-01' };

const next = { 3.1: String.raw`/^v?(?:3\.1)(?:\D.*)?$/i`, 4: String.raw`/^v?(?:4\.0)(?:\D.*)?$/i` };
const first = String.raw`/^v?(?:1\.0)(?:\D.*)?$/i`;
const second = String.raw`/^v?(?:2)(?:\D.*)?$/i`;
const over = String.raw`/^v?(?:1\.0|2)(?:\D.*)?$/i`;

test.each<[what: string, facts: Facts, notes: string[]]>([
  ['nothing', { releases }, []],
  [
    'days',
    { releases, definition: { support: { policy: 'dated', lines } } },
    [
      `${next[3.1]} support-ends Support: until 2026-12-30. End of support of 3.1: 2026-12-30, by the definition.`,
      `${next[4]} Support: until 2028-01-01. End of support of 4.0: 2028-01-01, by the definition.`,
      `${first} unsupported Support of this version ended 2026-11-01. End of support of 1.0: 2026-11-01, by the definition.`,
      `${second} unsupported Support of this version ended 2026-11-02. End of support of 2: 2026-11-02, by the definition.`,
      `!${next[3.1]} $contains($string(newVersion), ${next[3.1]}) Support of the proposed version: until 2026-12-30.`,
      `!${next[4]} $contains($string(newVersion), ${next[4]}) Support of the proposed version: until 2028-01-01.`,
    ],
  ],
  [
    'inferred terms',
    {
      releases: { '1.0': '2024-01-01', '4.0': '2026-01-01' },
      definition: { support: { policy: 'term', months: 20, inferred: 'So far.' } },
    },
    [
      `${next[4]} Support: until 2027-09-01. 20 months from its first release, 2026-01-01: estimated.`,
      String.raw`/^v?(?:1\.0)(?:\D.*)?$/i unsupported Support of this version ended 2025-09-01 (estimated). 20 months from its first release, 2024-01-01: estimated.`,
      `!${next[4]} $contains($string(newVersion), ${next[4]}) Support of the proposed version: until 2027-09-01 (estimated).`,
    ],
  ],
  [
    'a replacement',
    {
      releases: { '1.0': '2024-01-01', v2: '2024-01-01' },
      definition: { replacedBy: 'next', support: { policy: 'ended' } },
    },
    [
      `${over} unsupported Support of this version ended. Support has ended, by the definition.`,
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
      String.raw`/^v?(?:1\.0)(?:\.0)?$/i security Affected by CVE-2026-1 (high).`,
      String.raw`/^v?(?:2)(?:\.0)?$/i security Affected by CVE-2026-1, CVE-2026-2 (high).`,
      'newVersion in ["1.0"] security The proposed version is affected by CVE-2026-1.',
      'newVersion in ["v2","2"] security The proposed version is affected by CVE-2026-1, CVE-2026-2.',
      'newVersion in ["3.1.0"] security The proposed version fixes CVE-2026-1, CVE-2026-2.',
    ],
  ],
  [
    'deprecations',
    {
      releases: { '1.0': '2024-01-01', v2: '2024-01-01', '4.0': '2026-01-01' },
      definition: {
        deprecated: [
          { versions: '<3', reason: 'Bad [x](y) @all, see www.a and http://b' },
          { versions: '>3', reason: 'Soon', since: '2027-01-01' },
        ],
      },
    },
    [
      String.raw`/^v?(?:1\.0|2)(?:\.0)?$/i deprecated Deprecated: Bad &#91;x&#93;(y) @&#8203;all, see www.&#8203;a and http:&#8203;//b`,
    ],
  ],
  [
    'a deprecation before the end of support, whose reason is told once',
    {
      releases: { '4.0': '2026-01-01' },
      definition: { support: { policy: 'ended', until: '2027-12-31', reason: 'Use next.' } },
    },
    [
      `${next[4]} Support: until 2027-12-31. Use next.`,
      `!${next[4]} $contains($string(newVersion), ${next[4]}) Support of the proposed version: until 2027-12-31.`,
      String.raw`/^v?(?:4\.0)(?:\.0)?$/i deprecated Deprecated.`,
    ],
  ],
  [
    'an advisory on an ended and a supported line, of which one is deprecated',
    {
      releases: { '1.0': '2024-01-01', '4.0': '2026-01-01' },
      definition: {
        support: { policy: 'dated', lines: { '1.0': '2026-11-01' } },
        advisories: [{ id: 'CVE-2026-1', affected: '<5', fixed: ['5.0'] }],
      },
    },
    [
      `${first} unsupported Support of this version ended 2026-11-01. End of support of 1.0: 2026-11-01, by the definition.`,
      String.raw`/^v?(?:1\.0|4\.0)(?:\.0)?$/i security Affected by CVE-2026-1.`,
      'newVersion in ["1.0","4.0"] security The proposed version is affected by CVE-2026-1.',
    ],
  ],
  [
    'what upstream says',
    { releases: [{ version: '1.0', sources: [], deprecated: 'Use 2', firstSeen: '2024-01-01' }] },
    [String.raw`/^v?(?:1\.0)(?:\.0)?$/i deprecated Deprecated upstream: Use 2`],
  ],
])('%s', (_, facts, notes) => {
  expect(listNotes(facts)).toEqual(notes);
});

test.each<[what: string, ends: object, datesEnds: boolean, notes: string[]]>([
  [
    'lines that ended more than two years ago share the latest day',
    { '1.0': '2024-10-08', '2': '2023-01-31', '3.1': '2024-11-27' },
    true,
    [
      `${over} unsupported Support of this version ended by 2024-10-08. The support of each release line ends on a stated day.`,
      `${next[3.1]} unsupported Support of this version ended 2024-11-27. End of support of 3.1: 2024-11-27, by the definition.`,
    ],
  ],
  [
    'all ended lines of an index with too many rules share it',
    { '1.0': '2026-10-08', '2': '2024-01-31' },
    false,
    [
      `${over} unsupported Support of this version ended by 2026-10-08. The support of each release line ends on a stated day.`,
    ],
  ],
])('%s', (_, ends, datesEnds, notes) => {
  const definition = { support: { policy: 'dated', lines: ends } };

  expect(listNotes({ releases, definition }, datesEnds)).toEqual(notes);
});
