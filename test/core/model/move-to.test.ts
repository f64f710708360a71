import { expect, test } from 'vitest';
import {
  findGreatestCandidate,
  createAdviser,
  type Movable,
  type MovableRelease,
} from '../../../src/core/model/move-to.ts';
import type { State } from '../../../src/core/model/states.ts';

const day = '2026-11-22';

/** `1.0 ended`, `1.1 supported!`: a release, the state of its line or its own, and `!` where an advisory affects it. */
function componentOf(
  component: string,
  texts: readonly string[],
  ends: Record<string, string> = {},
) {
  const releases = texts.map((text): MovableRelease => {
    const [version = '', word = ''] = text.split(' ');
    const state = word.replace('!', '') as State;
    return {
      version,
      line: version.split('.').slice(0, 2).join('.'),
      isPrerelease: version.includes('-'),
      state,
      isDeprecated: state === 'ended' || state === 'deprecated' || state === 'withdrawn',
      isVulnerable: word.endsWith('!'),
    };
  });
  const byLine = Map.groupBy(releases, ({ line }) => line);
  const lines = Array.from(byLine, ([line, [{ state }]]) => ({
    line,
    state,
    supportedUntil: ends[line],
  }));

  return { component, day, lines, releases } satisfies Movable;
}

function moveOf(movable: Movable, version: string, replacement?: Movable) {
  const release = movable.releases.find((each) => each.version === version);
  const line = movable.lines.find(
    (each) => version.startsWith(`${each.line}.`) || each.line === version,
  );
  return createAdviser(movable, replacement)({ version, release, line: line?.line });
}

test.each<[title: string, texts: string[], version: string, expected: object]>([
  [
    'without a reason there is no goal',
    ['1.0 supported', '2.0 supported'],
    '1.0',
    { newest: '2.0' },
  ],
  [
    'nothing is promised, nothing is to do',
    ['1.0 no-promise', '2.0 no-promise'],
    '1.0',
    { newest: '2.0' },
  ],
  [
    'an ended line leads to the newest',
    ['1.0 ended', '1.0.1 ended', '2.0 supported', '3.0 supported'],
    '1.0',
    { moveReason: 'ended', moveTo: '3.0', latestOfLine: '1.0.1', newest: '3.0' },
  ],
  [
    'a deprecated release leads to the latest of its line first',
    ['1.0 deprecated', '1.0.1 supported', '2.0 supported'],
    '1.0',
    { moveReason: 'deprecated', moveTo: '1.0.1' },
  ],
  [
    'an advisory leads to a release that it does not affect',
    ['1.0 supported!', '1.0.1 supported!', '1.0.2 supported', '2.0 supported'],
    '1.0',
    { moveReason: 'affected', moveTo: '1.0.2' },
  ],
  [
    'an advisory that affects all is no reason',
    ['1.0 supported!', '1.1 supported!'],
    '1.0',
    { newest: '1.1' },
  ],
  [
    'a pulled release leads back',
    ['1.0 supported', '1.1 supported', '1.2 withdrawn'],
    '1.2',
    { moveReason: 'withdrawn', moveTo: '1.1' },
  ],
  [
    'a line that ends leads to no older release',
    ['1.0 supported', '2.0 ends-soon'],
    '2.0',
    { isStuck: true, newest: '2.0' },
  ],
  [
    'where everything ends soon, what has ended still leads there',
    ['1.0 ended', '2.0 ends-soon'],
    '1.0',
    { moveReason: 'ended', moveTo: '2.0' },
  ],
  [
    'where everything may have ended, there is nothing to move to',
    ['1.0 may-have-ended', '2.0 may-have-ended'],
    '1.0',
    { isStuck: true, newest: '2.0' },
  ],
  [
    'a release that ends soon stays where the only one above it is affected',
    ['1.0 ends-soon', '2.0 no-promise!'],
    '1.0',
    { isStuck: true, newest: '2.0' },
  ],
  [
    'what has ended leads to a release that ends soon rather than to an affected one',
    ['1.0 ended', '1.1 ends-soon', '2.0 supported!'],
    '1.0',
    { moveReason: 'ended', moveTo: '1.1', newest: '2.0' },
  ],
  ...Object.entries({
    withdrawn: 'withdrawn',
    deprecated: 'deprecated',
    ended: 'ended',
    'may-have-ended!': 'affected',
  }).map(([state, moveReason]): [string, string[], string, object] => [
    `a version that is ${state} leads to an affected release where no other is above it`,
    ['1.0 ends-soon', `2.0 ${state}`, '3.0 supported!'],
    '2.0',
    { moveReason, moveTo: '3.0', newest: '3.0' },
  ]),
  ['no prerelease is a goal', ['1.0 ended', '2.0-rc.1 supported'], '1.0', { isStuck: true }],
  [
    'a version that is not listed has the reason of its line',
    ['1.0 ended', '2.0 supported'],
    '1.0.7',
    { moveReason: 'ended', moveTo: '2.0' },
  ],
  ['a version of no line has none', ['1.0 ended', '2.0 supported'], '7.0', { newest: '2.0' }],
])('%s', (_, texts, version, expected) => {
  const { moveTo, ...move } = moveOf(componentOf('svc', texts), version);

  expect({ ...move, moveTo: moveTo?.version }).toMatchObject(expected);

  if (!('moveReason' in expected)) {
    expect([move.moveReason, moveTo]).toEqual([undefined, undefined]);
  }

  expect(move.isStuck).toBe('isStuck' in expected ? true : undefined);
});

test('a component without a release to take leads to its replacement', () => {
  const old = componentOf('old', ['1.0 deprecated'], { '1.0': '2026-12-31' });
  const edge = componentOf('edge', ['2.0 supported', '2.1 supported!', '2.2 ends-soon']);
  const ending = componentOf('edge', ['2.0 ends-soon']);

  expect(moveOf(old, '1.0', edge)).toMatchObject({
    moveReason: 'deprecated',
    moveTo: { component: 'edge', version: '2.0' },
    moveBy: '2026-12-31',
  });
  expect(moveOf(old, '1.0', ending)).toMatchObject({
    moveTo: { component: 'edge', version: '2.0' },
  });
  expect(moveOf(old, '1.0').moveTo).toBeUndefined();
});

test('one moves by the day that one can plan with, at once where it is not ahead', () => {
  const svc = componentOf('svc', ['1.0 ends-soon', '1.1 may-have-ended', '2.0 supported'], {
    '1.0': '2026-12-31',
    '1.1': '2026-11-01',
    '2.0': '2028-01-01',
  });
  const affected = componentOf('svc', ['2.0 supported!', '2.0.1 supported'], {
    '2.0': '2028-01-01',
  });

  expect(moveOf(svc, '1.0').moveBy).toBe('2026-12-31');
  expect(moveOf(svc, '1.1')).not.toHaveProperty('moveBy', expect.anything());
  expect(moveOf(affected, '2.0').moveBy).toBeUndefined();
});

test('the greatest candidate of a component is its latest release where each has a reason', () => {
  const find = (...texts: string[]) => findGreatestCandidate(componentOf('svc', texts))?.version;

  expect(find('1.0 supported', '1.1 supported', '1.2 supported', '2.0 ends-soon')).toBe('1.2');
  expect(find('1.0 ends-soon', '1.1 ends-soon', '1.2 ends-soon', '2.0 withdrawn')).toBe('1.2');
  expect(find('1.0 ended')).toBeUndefined();
});

test('a release is withdrawn rather than affected, and a line names no release that is off', () => {
  const svc = componentOf('svc', [
    ...['1.0 withdrawn!', '1.0.1 supported', '1.0.2 deprecated', '1.0.3 withdrawn'],
  ]);
  const texts = ['1.0 ended', '1.0.1 ended', '2.0 supported', '2.0.1 withdrawn'];

  expect(moveOf(svc, '1.0')).toMatchObject({
    ...{ moveReason: 'withdrawn', latestOfLine: '1.0.1', moveTo: { version: '1.0.1' } },
  });
  expect(moveOf(componentOf('svc', texts), '1.0')).toMatchObject({
    ...{ latestOfLine: '1.0.1', newest: '2.0', moveTo: { version: '2.0' } },
  });
});

test('a release that is affected stays where the only safe one has ended', () => {
  const svc = componentOf('svc', ['1.0 ended', '2.0 supported!', '2.0.1 supported!']);

  expect(moveOf(svc, '2.0')).toEqual({ latestOfLine: '2.0.1', newest: '2.0.1' });
});

test('where each release has a reason, the latest of the line comes before that of another', () => {
  const svc = componentOf('svc', ['1.0 deprecated', '1.0.1 ends-soon', '2.0 ends-soon']);

  expect(moveOf(svc, '1.0')).toMatchObject({ moveTo: { component: 'svc', version: '1.0.1' } });
});

test('a line of the replacement is another one, although it has the same name', () => {
  const replaced = componentOf('agent', ['1.0 ended']);
  const replacement = componentOf('tool', ['1.0 ends-soon', '2.0 ends-soon']);

  expect(moveOf(replaced, '1.0', replacement).moveTo).toEqual({
    component: 'tool',
    version: '2.0',
  });
});

test('a replacement is reached without the stops of the component', () => {
  const old = {
    ...componentOf('old', ['1.0 ended', '1.5 ended', '2.0 ended']),
    upgradeStops: ['1.5'],
  };
  const edge = componentOf('edge', ['2.0 supported']);

  expect(moveOf(old, '1.0', edge)).toMatchObject({ moveTo: { component: 'edge', version: '2.0' } });
  expect(moveOf(old, '1.0', edge)).not.toHaveProperty('goal');
});

test('a stop on the way comes first, and the goal stands beside it', () => {
  const svc = componentOf('svc', ['1.0 ended', '1.5 deprecated', '2.0 supported']);
  const stopping = { ...svc, upgradeStops: ['1.5'] };

  expect(moveOf(stopping, '1.0')).toMatchObject({
    moveTo: { component: 'svc', version: '1.5' },
    goal: { component: 'svc', version: '2.0' },
  });
  expect(moveOf(stopping, '1.5')).toMatchObject({ moveTo: { component: 'svc', version: '2.0' } });
  expect(moveOf(stopping, '1.5')).not.toHaveProperty('goal');
});

test.each<[dueBy: string | undefined, moveBy: string | undefined]>([
  ['2026-12-24', '2026-12-24'],
  [day, day],
  ['2026-11-21', undefined],
  [undefined, undefined],
])('the fix of an affected release that is due by %s is to be taken by %s', (dueBy, moveBy) => {
  const svc = componentOf('svc', ['2.0 supported!', '2.0.1 supported']);
  const [affected, fixed] = svc.releases;
  const releases = [{ ...affected!, dueBy }, fixed!];

  expect(moveOf({ ...svc, releases }, '2.0').moveBy).toBe(moveBy);
});

test('the day by which to fix a release is none for another reason', () => {
  const svc = componentOf('svc', ['2.0 deprecated!', '2.0.1 deprecated!', '2.1 supported!']);
  const reasons = [{ rule: 'definition', text: 'Bad.', from: '2026-01-01' } as const];
  const [first, ...others] = svc.releases;
  const releases = [{ ...first!, reasons, dueBy: '2026-12-24' }, ...others];

  const move = moveOf({ ...svc, releases }, '2.0');

  expect([move.moveReason, move.moveBy]).toEqual(['deprecated', undefined]);
});

test('a release with a reason of its own moves now, and one of a deprecated line by its end', () => {
  const svc = componentOf('svc', ['1.0 deprecated', '1.1 deprecated', '2.0 supported'], {
    '1.0': '2026-12-31',
    '1.1': '2026-12-31',
  });
  const reasons = [{ rule: 'definition', text: 'Bad.', from: '2026-01-01' } as const];
  const later = [{ ...reasons[0]!, from: '2027-01-01' }];
  const [first, second, third] = svc.releases;
  const releases = [{ ...first!, reasons }, { ...second!, reasons: later }, third!];
  const moveBy = (version: string) => moveOf({ ...svc, releases }, version).moveBy;

  expect(['1.0', '1.1'].map(moveBy)).toEqual([undefined, '2026-12-31']);
  expect(createAdviser({ ...svc, releases })({ version: '1.0', line: '1.0' }).moveBy).toBe(
    undefined,
  );
  expect(createAdviser({ ...svc, releases })({ version: '1.0.7', line: '1.0' }).moveBy).toBe(
    '2026-12-31',
  );
});

test('of a line that has ended, the latest release is one without a reason of its own', () => {
  const ended = componentOf('svc', ['1.0.0 ended', '1.0.1 ended']);
  const [first, second] = ended.releases;
  const reasons = [{ rule: 'definition', text: 'Loses messages.' } as const];
  const movable = { ...ended, releases: [first!, { ...second!, reasons }] };

  expect(moveOf(movable, '1.0.0').latestOfLine).toBe('1.0.0');
});
