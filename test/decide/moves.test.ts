import { expect, test } from 'vitest';
import {
  describeTarget,
  findLatestMove,
  createLineAdviser,
  adviseOnLines,
} from '../../src/decide/moves.ts';
import { componentOf } from '../site/render/sites.ts';

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

  expect(createLineAdviser({ ...old, replacement: edge })(line!, '2026-07-01').moveTo).toEqual({
    component: 'edge',
    version: '2.0',
  });
  expect(createLineAdviser(old)(line!, '2026-07-01').isStuck).toBe(true);
});

test('a line with the name of its newest release leads to the fix of that release on any day', () => {
  const component = componentOf([{ version: '1.0.0' }, { version: '1.1' }, { version: '1.1.1' }], {
    support: { policy: 'dated', lines: { '1.0': '2028-01-01', '1.1': '2028-01-01' } },
    advisories: [{ id: 'CVE-2026-1', affected: '<1.1.1' }],
  });
  const [line, next] = component.judgement.lines;
  const adviseOn = adviseOnLines(component);

  for (const move of [adviseOn(line!), createLineAdviser(component)(line!, '2027-07-01')]) {
    expect(move).toMatchObject({ moveReason: 'affected', moveTo: { version: '1.1.1' } });
  }
  // 1.1 is affected, but not the newest release of its line.
  expect(adviseOn(next!)).toEqual({ latestOfLine: '1.1.1', newest: '1.1.1' });
});

test('a line leads to a stop first on any day', () => {
  const releases = ['1.0', '1.5', '2.0'].map((version) => ({ version }));
  const about = {
    upgradeStops: ['1.5'],
    support: { policy: 'latest-lines', count: 1 },
  } as const;
  const component = componentOf(releases, { ...about, upgradeStops: [...about.upgradeStops] });
  const [line, next] = component.judgement.lines;

  expect(createLineAdviser(component)(line!, '2026-07-01')).toMatchObject({
    moveTo: { version: '1.5' },
    goal: { version: '2.0' },
  });
  expect(createLineAdviser(component)(next!, '2026-07-01')).toMatchObject({
    latestOfLine: '1.5',
    moveTo: { version: '2.0' },
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

  expect(adviseOnLines(component)(line!).moveTo).toEqual({ component: 'svc', version: '2.0' });
});
