/** Checks what readers learn about releases that unexpectedly lack provenance. */
import { expect, test } from 'vitest';
import { needsAction } from '../../src/ask/judged-list.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { listNotes } from '../../src/site/renovate/notes.ts';
import { judgeComponents } from '../harness/components.ts';
import { describeReleases, release, subjectOf } from '../harness/judging.ts';

const lacking = (version: string, day: string) => release(version, day, { hasProvenance: false });
const proven = (version: string, day: string) => release(version, day, { hasProvenance: true });
const day = '2026-04-10';
const reported = {
  releases: new Map([['1.14.1', { lastProven: '1.14.0' }]]),
  lines: new Map(),
};

/** Judges releases of lines 0.30 and 1, of which only 1.14.1 was reported as `unproven`. */
function judge(...others: ReturnType<typeof release>[]) {
  const releases = [
    lacking('0.30.3', '2026-01-01'),
    proven('1.14.0', '2026-03-01'),
    lacking('1.14.1', '2026-03-31'),
    ...others,
  ];
  const definition = {
    support: { policy: 'dated', lines: { '0.30': '2099-01-01', 1: '2099-01-01', 2: '2099-01-01' } },
  };
  const [component] = judgeAll([{ ...subjectOf(releases, definition), reported }], day);
  return describeReleases(component!);
}

test.each([
  ['on the same day', lacking('0.30.4', '2026-03-31'), '1.14.1'],
  ['three days earlier', lacking('0.30.4', '2026-03-28'), '1.14.1'],
  ['three days later', lacking('2.0.0', '2026-04-03'), '1.14.1'],
  ['four days earlier', lacking('0.30.4', '2026-03-27'), undefined],
  ['four days later', lacking('0.30.4', '2026-04-04'), undefined],
  [
    'before it was first observed on that day',
    release('0.30.4', '2026-03-31', { hasProvenance: false, timestampKind: 'observed' }),
    undefined,
  ],
  ['on an unknown day', release('0.30.4', undefined, { hasProvenance: false }), undefined],
  ['with provenance', proven('0.30.4', '2026-03-31'), undefined],
  ['with unknown provenance', release('0.30.4', '2026-03-31'), undefined],
  ['in the same line', lacking('1.14.2', '2026-03-31'), undefined],
])(
  'a release that was published %s as a release of another line that lost its provenance',
  (_, other, sibling) => {
    const releases = judge(other);
    const verdict = releases.find(({ version }) => version === other.version)!;
    const { unprovenSibling, because, advice } = verdict;
    expect(unprovenSibling).toBe(sibling);
    expect(needsAction(verdict)).toBe(sibling !== undefined);
    const sentence =
      'Published without provenance, at the time of 1.14.1, which lost its provenance.';
    expect(because.includes(sentence)).toBe(sibling !== undefined);
    expect(advice.startsWith('Check who published it first')).toBe(sibling !== undefined);
  },
);

test('the advice never says that no action is needed above a release that lost its provenance', () => {
  const { because, advice } = judge().find(({ version }) => version === '1.14.1')!;
  expect(because[0]).toBe('Published without provenance, unlike 1.14.0.');
  expect(advice).toBe(
    'Check who published it first: ask its maintainers whether they did; it is the latest version.',
  );
});

test('the advice to move takes precedence over missing provenance', () => {
  const definition = { deprecated: [{ versions: ['1.14.1'], reason: 'Malware' }] };
  const releases = [proven('1.14.0', '2026-03-01'), lacking('1.14.1', '2026-03-31')];
  const [component] = judgeAll([{ ...subjectOf(releases, definition), reported }], day);
  expect(describeReleases(component!)[1]!.advice).toBe('Move back to 1.14.0 now.');
});

test('pull requests of Renovate warn of both releases', () => {
  const index = judgeComponents({
    axe: {
      releases: [
        lacking('0.30.4', '2026-03-31'),
        proven('1.14.0', '2026-03-01'),
        lacking('1.14.1', '2026-03-31'),
      ],
      journal: [
        { type: 'released', on: '2026-03-01', at: '2026-03-01T00:00:00Z', version: '1.14.0' },
        { type: 'released', on: '2026-03-31', at: '2026-03-31T00:00:00Z', version: '1.14.1' },
        {
          ...{ type: 'unproven', on: '2026-03-31', at: '2026-03-31T00:00:00Z' },
          ...{ version: '1.14.1', from: '1.14.0' },
        },
      ],
    },
  });
  const notes = listNotes(index.components[0]!, index, '2024-01-01');
  const ofSibling = notes.filter(({ names }) => names.includes('0.30.4'));
  expect(ofSibling.map(({ occasion, labels }) => [occasion, labels])).toEqual([
    ['release in use', ['security']],
    ['proposed release', ['security']],
  ]);
  expect(ofSibling[1]!.words).toBe(
    'The proposed version was published without provenance, at the time of 1.14.1, which lost its provenance.',
  );
});
