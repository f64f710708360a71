import { assert, constantFrom, property, record, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeTarget,
  findLatestMove,
  findLineMoveOn,
  listLineMoves,
} from '../../src/decide/moves.ts';
import { componentOf } from '../site/render/sites.ts';

const releases = uniqueArray(
  record({
    version: constantFrom(
      ...['1.0', '1.1', '1.2-rc.1', '1.2', '2.0', '2.1', '2.2', '3.0-rc.1', '3.0', '3.1', '4.0'],
    ),
    releaseTimestamp: constantFrom('2024-01-01', '2025-01-01', '2025-09-01', '2026-03-01'),
    deprecated: constantFrom(undefined, undefined, undefined, 'Broken.'),
    withdrawnSince: constantFrom(undefined, undefined, undefined, '2026-01-01'),
  }),
  { selector: ({ version }) => version, minLength: 1 },
);

const support = constantFrom(
  { policy: 'term', months: 12, line: 1 } as const,
  { policy: 'latest-lines', count: 2, line: 1 } as const,
  { policy: 'none' } as const,
);

const advisories = constantFrom(
  [],
  [{ id: 'x_1', summary: 'Bad.', affected: '<2.1' }],
  [{ id: 'x_1', summary: 'Bad.', affected: '>=3' }],
);

test('the few releases that can be a goal give the same goal as all', () => {
  const days = ['2025-01-01', '2026-01-01', '2026-09-01', '2027-03-01', '2029-01-01'];

  assert(
    property(releases, support, advisories, (recorded, policy, stated) => {
      const component = componentOf(recorded, {
        support: policy,
        prereleases: true,
        advisories: stated,
      } as object);
      // A component with a list of stops is judged by all of its releases.
      const definition = { ...component.definition, upgradeStops: [] };

      for (const line of component.judgement.lines) {
        for (const day of days) {
          const { moveTo } = findLineMoveOn({ ...component, definition }, line, day);
          expect(findLineMoveOn(component, line, day).moveTo).toEqual(moveTo);
        }
      }
    }),
    { numRuns: 300 },
  );
});

const ended = { support: { policy: 'ended', until: '2025-12-31' } } as const;
const old = componentOf([{ version: '1.0' }], ended, { name: 'old' });
const edge = componentOf([{ version: '2.0' }], { title: 'Edge node' }, { name: 'edge' });

test('the latest version leads nowhere without a reason, and to its fix with one', () => {
  const fixed = componentOf([{ version: '1.0' }, { version: '1.1-rc1' }, { version: '1.1' }], {
    support: { policy: 'dated', lines: { '1.0': '2028-01-01', '1.1': '2026-07-31' } },
    advisories: [{ id: 'CVE-2026-1', affected: '=1.1' }],
  });

  expect(findLatestMove(componentOf([]))).toEqual({});
  expect(findLatestMove(edge)).toEqual({ latestOfLine: '2.0', newest: '2.0' });
  expect(findLatestMove(fixed)).toMatchObject({
    moveReason: 'affected',
    moveTo: { component: 'svc', version: '1.0' },
  });
});

test('a line leads to the replacement of its component on any day', () => {
  const [line] = old.judgement.lines;

  expect(findLineMoveOn({ ...old, replacement: edge }, line!, '2026-07-01').moveTo).toEqual({
    component: 'edge',
    version: '2.0',
  });
  expect(findLineMoveOn(old, line!, '2026-07-01').isStuck).toBe(true);
});

test('a line leads to a stop first on any day', () => {
  const releases = ['1.0', '1.5', '2.0'].map((version) => ({ version }));
  const about = {
    upgradeStops: ['1.5'],
    support: { policy: 'latest-lines', count: 1 },
  } as const;
  const component = componentOf(releases, { ...about, upgradeStops: [...about.upgradeStops] });
  const [line] = component.judgement.lines;

  expect(findLineMoveOn(component, line!, '2026-07-01')).toMatchObject({
    moveTo: { version: '1.5' },
    goal: { version: '2.0' },
  });
});

test.each([
  [undefined, ''],
  [{ component: 'old', version: '1.1' }, '1.1'],
  [{ component: 'edge', version: '2.0' }, 'Edge node 2.0'],
])('the target %j is called "%s"', (target, words) => {
  expect(describeTarget({ ...old, replacement: edge }, target)).toBe(words);
});

test('a line without releases leads to the latest release of its component', () => {
  const component = componentOf([{ version: '2.0' }], {
    support: { policy: 'dated', lines: { '1.0': '2026-01-31', '2.0': '2028-01-01' } },
  });
  const [line] = component.judgement.lines;

  expect(listLineMoves(component).get(line!)?.moveTo).toEqual({ component: 'svc', version: '2.0' });
});
