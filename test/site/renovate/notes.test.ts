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
};
const two = { '1.0': '2024-01-01', '4.0': '2026-01-01' };
const lines = { '1.0': '2026-11-01', '2': '2026-11-02', '3.1': '2026-12-30', '4.0': '2028-01-01' };

const match = (names: string, ending: string) =>
  `/^v?(?:${names.replaceAll('.', '\\.')})${ending}$/i`;
const ofLine = (names: string) => match(names, '(?:\\D.*)?');
const only = (names: string) => match(names, '(?:\\.0)?');
const propose = (line: string, end: string) =>
  `!${ofLine(line)} $contains($string(newVersion), ${ofLine(line)}) Support of the proposed version: ${end}.`;
const end = (line: string, day: string) =>
  `${day}. End of support of ${line}: ${day}, by the definition.`;
const dated = (ends: object): Facts => ({
  releases,
  definition: { support: { policy: 'dated', lines: ends } },
});
const ended = 'unsupported Support of this version ended';

test.each<[title: string, facts: Facts, notes: string[], datesEnds?: boolean]>([
  ['nothing', { releases }, []],
  [
    'days',
    dated(lines),
    [
      `${ofLine('3.1')} support-ends Support: until ${end('3.1', '2026-12-30')}`,
      `${ofLine('4.0')} Support: until ${end('4.0', '2028-01-01')}`,
      `${ofLine('1.0')} ${ended} ${end('1.0', '2026-11-01')}`,
      `${ofLine('2')} ${ended} ${end('2', '2026-11-02')}`,
      propose('3.1', 'until 2026-12-30'),
      propose('4.0', 'until 2028-01-01'),
    ],
  ],
  [
    'inferred terms',
    {
      releases: two,
      definition: { support: { policy: 'term', months: 20, inferred: 'So far.' } },
    },
    [
      `${ofLine('4.0')} Support: until 2027-09-01. 20 months from its first release, 2026-01-01: estimated.`,
      `${ofLine('1.0')} ${ended} 2025-09-01 (estimated). 20 months from its first release, 2024-01-01: estimated.`,
      propose('4.0', 'until 2027-09-01 (estimated)'),
    ],
  ],
  [
    'a replacement',
    {
      releases: two,
      definition: { replacedBy: 'next', support: { policy: 'ended' } },
    },
    [
      `${ofLine('1.0|4.0')} ${ended}. Support has ended, by the definition.`,
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
      `${only('1.0')} security Affected by CVE-2026-1 (high).`,
      `${only('2')} security Affected by CVE-2026-1, CVE-2026-2 (high).`,
      'newVersion in ["1.0"] security The proposed version is affected by CVE-2026-1.',
      'newVersion in ["v2","2"] security The proposed version is affected by CVE-2026-1, CVE-2026-2.',
      'newVersion in ["3.1.0"] security The proposed version fixes CVE-2026-1, CVE-2026-2.',
    ],
  ],
  [
    'a deprecation before the end of support, whose reason is told once',
    {
      releases: { '4.0': '2026-01-01' },
      definition: { support: { policy: 'ended', until: '2027-12-31', reason: 'Use next.' } },
    },
    [
      `${ofLine('4.0')} Support: until 2027-12-31. Use next.`,
      propose('4.0', 'until 2027-12-31'),
      `${only('4.0')} deprecated Deprecated.`,
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
      `${only('1.0|2')} deprecated Deprecated: Bad &#91;x&#93;(y) @&#8203;all, see www.&#8203;a and http:&#8203;//b`,
    ],
  ],
  [
    'what upstream says',
    { releases: [{ version: '1.0', sources: [], deprecated: 'Use 2', firstSeen: '2024-01-01' }] },
    [`${only('1.0')} deprecated Deprecated upstream: Use 2`],
  ],
  [
    'lines that ended more than two years ago, which share the latest day',
    dated({ '1.0': '2024-10-08', '2': '2023-01-31', '3.1': '2024-11-27' }),
    [
      `${ofLine('1.0|2')} ${ended} by 2024-10-08. The support of each release line ends on a stated day.`,
      `${ofLine('3.1')} ${ended} ${end('3.1', '2024-11-27')}`,
    ],
  ],
  [
    'ended lines of an index with too many rules, which share the latest day, too',
    dated({ '1.0': '2026-10-08', '2': '2024-01-31' }),
    [
      `${ofLine('1.0|2')} ${ended} by 2026-10-08. The support of each release line ends on a stated day.`,
    ],
    false,
  ],
])('%s', (_, facts, notes, datesEnds) => {
  expect(listNotes(facts, datesEnds)).toEqual(notes);
});
