import { expect, it } from 'vitest';
import { explainComponent } from '../../src/cli/explanation.ts';
import { describeDetails } from '../../src/decide/details.ts';
import { describeEnd, stateLabels } from '../../src/core/model/words.ts';
import { computeDetailsOn } from '../../src/ask/answers/component-on.ts';
import type { Component } from '../../src/decide/component.ts';
import {
  describeTrouble,
  explainFreshness,
  summariseFreshness,
  type ComponentFreshness,
  type Trouble,
} from '../../src/decide/component-freshness.ts';
import { explainNoLatest, type JudgedLine } from '../../src/decide/judge.ts';
import { describeReplacement } from '../../src/decide/moves.ts';
import { componentOf } from '../site/render/sites.ts';

const term = { support: { policy: 'term', months: 12 } } as const;
const newest = (count: number) => ({ support: { policy: 'latest-lines', count } }) as const;
const ended = { support: { policy: 'ended', reason: 'Nobody maintains it' } } as const;
const broken = { deprecated: [{ versions: ['1.0'], reason: 'Broken' }] };

const explain = (component: Component) =>
  explainComponent(
    computeDetailsOn(describeDetails(component), component.judgement.day),
    component,
  );

function short(line: JudgedLine): string {
  return `${stateLabels[line.state]} ${describeEnd(line)}`.trim();
}

/** The text for every line, newest first. */
function wordsOf(...component: Parameters<typeof componentOf>): string[] {
  return componentOf(...component)
    .judgement.lines.toReversed()
    .map(short);
}

const endedLater = { support: { policy: 'ended', until: '2026-12-31' } } as const;

it.each([
  ['2026-01-01', term, 'Supported until 2027-01-01', 'is supported until 2027-01-01'],
  ['2026-01-01', newest(2), 'Supported', 'is supported'],
  ['2026-01-01', newest(1), 'Supported until the next line', 'is supported until the next line'],
  ['2026-01-01', {}, 'No end stated', 'has no stated end of support'],
  [
    '2026-01-01',
    endedLater,
    'Deprecated until 2026-12-31',
    'is supported until 2026-12-31, deprecated',
  ],
  ['2024-01-01', term, 'Ended ended 2025-01-01', 'was supported until 2025-01-01'],
  ['2024-01-01', ended, 'Ended ended', 'is no longer supported'],
  ['2024-01-01', broken, 'Deprecated', 'has no stated end of support, deprecated'],
])(
  'on the page and in an explanation, a line begun on %s under %j is: %s',
  (releaseTimestamp, input, onPage, predicate) => {
    const component = componentOf([{ version: '1.0', releaseTimestamp }], input);

    expect(short(component.judgement.lines[0]!)).toBe(onPage);
    expect(explain(component)).toContainEqual(
      expect.stringContaining(
        `  1.0: ${predicate}. First release ${releaseTimestamp}, newest is 1.0,`,
      ),
    );
  },
);

it('the end of a line without a day comes with the next line, for the only line that it replaces', () => {
  const versions = ['1.0', '1.1', '1.2'].map((version) => ({ version }));
  const component = componentOf(versions, newest(2));

  expect(wordsOf(versions, newest(2))).toEqual([
    'Supported',
    'Supported until the next line',
    'Ended ended',
  ]);
  const ends = component.judgement.lines.map(({ undatedEnd }) => undatedEnd);
  expect(ends).toEqual([undefined, 'ends with the next line', undefined]);
  expect(explain(component)).toContain('Next: no state changes unless new data comes.');
  expect(wordsOf(versions, newest(3))[2]).toBe('Supported until the next line');
  expect(wordsOf(versions, newest(4))).toEqual(['Supported', 'Supported', 'Supported']);
});

it('the next change names only the lines that end on exactly these days', () => {
  const observed = { timestampKind: 'observed', notListedOn: '2026-01-10' } as const;
  const releases = [
    { version: '1.0', releaseTimestamp: '2026-01-10' },
    { version: '2.0', releaseTimestamp: '2026-03-01', ...observed },
  ];
  const component = componentOf(releases, term, { day: '2026-06-01' });

  expect(explain(component).at(-1)).toBe('Next: 2027-01-10, end of support of 1.0.');
});

it('the end of a line without a day is neither caused by a prerelease nor stated for one', () => {
  const versions = ['1.0', '1.1', '2.0-rc1'].map((version) => ({ version }));

  expect(wordsOf(versions, { ...newest(2), prereleases: true })).toEqual([
    'Supported',
    'Supported',
    'Supported until the next line',
  ]);
});

it.each(['/^1/', '/./', ['1.0', '1.1']])(
  'support of lines with long-term support, named by %j, does not end with the next line',
  (lines) => {
    const phases = [{ name: 'support', count: 1 }];
    const lts = { lines, phases: [{ name: 'support', count: 2 }] };
    const support = { policy: 'latest-lines', phases, lts } as const;
    const { judgement } = componentOf([{ version: '1.0' }, { version: '1.1' }], { support });

    expect(judgement.lines.map(({ undatedEnd }) => undatedEnd)).toEqual([undefined, undefined]);
  },
);

it.each([
  [[], {}, 'No release of it is known yet.'],
  [
    [{ version: '1.0', isPrerelease: true }],
    { prereleases: true },
    'All its releases that are not deprecated are prereleases.',
  ],
  [[{ version: '1.0' }], ended, 'Every release of it is deprecated: Nobody maintains it.'],
  [[{ version: '1.0' }], broken, 'Every release of it is deprecated: Broken.'],
])('the reason why there is no latest version is known: %#', (releases, input, reason) => {
  expect(explainNoLatest(componentOf(releases, input).judgement)).toBe(reason);
});

const silent: Trouble = { source: 'npm:svc', kind: 'failed', reason: 'status 503', failures: 2 };
const heldAnswer: Trouble = { ...silent, kind: 'held', failures: 0 };
const freshness = (
  state: ComponentFreshness['state'],
  ...troubles: Trouble[]
): ComponentFreshness => ({ state, failures: 0, checkedOn: '2026-11-19', troubles });

it.each([
  [freshness('static'), 'Maintained by hand.'],
  [freshness('live'), 'Every source answered at the last check.'],
  [freshness('held', heldAnswer), 'On hold: an unusual change awaits review.'],
  [freshness('stale'), 'Last checked on 2026-11-19. Releases since then may be missing.'],
  [freshness('stale', { ...silent, failures: 0 }), 'Not asked yet: 1 source.'],
  [{ ...freshness('stale', { ...silent, failures: 0 }), checkedOn: undefined }, 'Not checked yet.'],
  [freshness('stale', silent, { ...silent, failures: 0 }), 'The last check failed (1 source).'],
])('the state of the data is explained: %j', (input, words) => {
  expect(explainFreshness(input)).toBe(words);
});

it('the state of the data of all components is one text', () => {
  const all = [freshness('live'), freshness('stale', silent), freshness('held', heldAnswer)];

  expect(summariseFreshness(all)).toBe(
    '1 of 3 components may be out of date. 1 of 3 components awaits review.',
  );
  expect(summariseFreshness([...all, freshness('held', heldAnswer)])).toContain(
    '2 of 4 components await review.',
  );
  expect(summariseFreshness([freshness('held', heldAnswer)])).toBe(
    '1 of 1 component awaits review.',
  );
  expect(summariseFreshness([freshness('live'), freshness('static')])).toBe(
    'Every source answered at the last check.',
  );
  expect(summariseFreshness([freshness('static'), freshness('static')])).toBe(
    'Maintained by hand.',
  );
  expect(
    summariseFreshness(Array.from({ length: 1200 }, () => freshness('held', heldAnswer))),
  ).toBe('1,200 of 1,200 components await review.');
  expect(summariseFreshness([freshness('live'), freshness('stale', silent)])).toBe(
    '1 of 2 components may be out of date.',
  );
});

it.each<[Partial<Trouble>, string]>([
  [{}, 'npm:svc: status 503.'],
  [{ lastAnswered: '2026-11-18' }, 'npm:svc: status 503. It last answered on 2026-11-18.'],
  [
    { kind: 'held', heldSince: '2026-11-18', lastAnswered: '2026-11-17' },
    'npm:svc: status 503. Waits for review since 2026-11-18.',
  ],
])('a problem of a source is told in full: %j', (more, words) => {
  expect(describeTrouble({ ...silent, ...more })).toBe(words);
});

it('the component that replaces another is named, with its latest version', () => {
  const component = componentOf([], { replacedBy: 'edge' });
  const withReplacement = (versions: string[]) => ({
    ...component,
    replacement: componentOf(
      versions.map((version) => ({ version })),
      { title: 'Edge node' },
    ),
  });

  expect(describeReplacement(componentOf([]))).toEqual([]);
  expect(describeReplacement(component)).toEqual(['Replaced by edge.']);
  expect(describeReplacement(withReplacement([]))).toEqual(['Replaced by Edge node.']);
  expect(describeReplacement(withReplacement(['2.0']))).toEqual([
    'Replaced by Edge node, whose latest version is 2.0.',
  ]);
});

it.each<[what: string, releases: Parameters<typeof componentOf>[0], about: object, words: string]>([
  [
    'a prerelease is open, and the rest deprecated',
    [{ version: '1.0' }, { version: '2.0-rc1' }],
    { ...broken, prereleases: true },
    'All its releases that are not deprecated are prereleases.',
  ],
  [
    'each release is deprecated, and a line without one is supported',
    [{ version: '1.0' }],
    {
      ...broken,
      support: { policy: 'dated', lines: { '1.0': '2028-01-01', '2.0': '2029-01-01' } },
    },
    'Every release of it is deprecated: Broken.',
  ],
  [
    'one line has ended, and another is deprecated',
    [{ version: '0.9' }, { version: '1.0' }],
    {
      ...broken,
      support: { policy: 'dated', lines: { '0.9': '2025-01-01', '1.0': '2028-01-01' } },
    },
    'Every release of it is deprecated: Broken.',
  ],
])('there is no latest version where %s', (_, releases, about, words) => {
  expect(explainNoLatest(componentOf(releases, about).judgement)).toBe(words);
});
