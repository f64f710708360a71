import { expect, test } from 'vitest';
import { Definition } from '../../src/core/schema/written.ts';
import {
  addOrigin,
  countNewest,
  describePolicy,
  nameSource,
} from '../../src/judge/policy-words.ts';
import { links } from '../harness/index-folder.ts';

const url = 'https://makers.example.com/policy';
const eol = { datasource: 'endoflife-date', product: 'svc' };

function readPolicy(support: object) {
  return Definition.parse({ title: 'Server', ...links, sources: [], support }).support!;
}

test.each<[support: object, words: string]>([
  [{ policy: 'none' }, 'No end of support is stated.'],
  [{ policy: 'none', until: '2027-01-31' }, 'No release is supported after 2027-01-31.'],
  [
    { policy: 'term', months: 18, url },
    'A release line is supported for 18 months from its first release.',
  ],
  [
    { policy: 'term', months: 1, url },
    'A release line is supported for 1 month from its first release.',
  ],
  [
    { policy: 'term', months: 18, url, until: '2027-01-31' },
    'A release line is supported for 18 months from its first release. No release is supported after 2027-01-31.',
  ],
  [
    {
      policy: 'term',
      phases: [
        { name: 'full', months: 12 },
        { name: 'security', months: 36 },
      ],
      url,
    },
    'The phases of a release line, in months from its first release: full 12, security 36.',
  ],
  [{ policy: 'latest-lines', count: 1, url }, 'The newest release line is supported.'],
  [{ policy: 'latest-lines', count: 2, url }, 'The 2 newest release lines are supported.'],
  [
    { policy: 'latest-lines', count: 1, months: 1, url },
    'The newest release line is supported, and older ones for 1 month.',
  ],
  [
    {
      policy: 'latest-lines',
      phases: [
        { name: 'full', count: 1 },
        { name: 'security', count: 3 },
      ],
      url,
    },
    'The phases of the newest release lines: full 1, security 3.',
  ],
  [
    { policy: 'dated', lines: { '1': '2027-01-01' }, url },
    'The support of each release line ends on a listed date.',
  ],
  [
    { policy: 'stated', source: eol },
    'The support of each release line ends on the date that endoflife.date gives.',
  ],
  [
    { policy: 'stated', source: { ...eol, registryUrl: 'https://mirror.example.com' } },
    'The support of each release line ends on the date that mirror.example.com gives.',
  ],
  [{ policy: 'ended', url }, 'Support has ended.'],
  [{ policy: 'ended', until: '2026-01-31', url }, 'No release is supported after 2026-01-31.'],
])('the support policy %j is described as: %s', (support, words) => {
  expect(describePolicy(readPolicy(support))).toBe(words);
});

test.each<[support: object, words: string]>([
  [{ policy: 'term', months: 18, url }, 'It ends, according to makers.example.com'],
  [{ policy: 'term', months: 18 }, 'It ends, according to the definition'],
  [{ policy: 'stated', source: eol }, 'It ends, according to endoflife.date'],
  [{ policy: 'term', months: 18, inferred: 'From three years.' }, 'Estimated: it ends'],
])('the origin of a fact under %j: %s', (support, words) => {
  expect(addOrigin('It ends', readPolicy(support))).toBe(words);
});

test('one line is counted in words, and several in figures', () => {
  expect([countNewest(1), countNewest(3)]).toEqual([
    'newest release line',
    '3 newest release lines',
  ]);
  expect(nameSource(undefined)).toBe('the definition');
});
