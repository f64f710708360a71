import { expect, test } from 'vitest';
import type { State } from '../../src/core/schema/published.ts';
import { readVersion } from '../../src/core/version.ts';
import { findMove, listChoices } from '../../src/judge/move.ts';

const day = '2026-11-22';

/**
 * Reads releases with their states: `1.0 ended`, `1.1 supported!`. The `!` means that an advisory
 * affects the release.
 */
function readReleases(texts: readonly string[], component = 'svc') {
  return texts.map((text) => {
    const [version = '', word = ''] = text.split(' ');
    const state = word.replace('!', '') as State;
    return {
      component,
      parsed: readVersion(version),
      line: version.split('.').slice(0, 2).join('.'),
      state,
      isPrerelease: version.includes('-'),
      isDeprecated: ['ended', 'deprecated', 'withdrawn'].includes(state),
      isAffected: word.endsWith('!'),
    };
  });
}

/**
 * Returns the recommended move as `ended -> svc 3.0 by 2026-12-31`, or `ended -> nothing` if there
 * is no suitable version.
 */
function moveFrom(
  version: string,
  texts: string[],
  replacement?: string[],
  deadlines = {},
): string {
  const releases = readReleases(texts);
  const successors = replacement
    ? [{ name: 'edge', title: 'Edge', choices: listChoices(readReleases(replacement, 'edge')) }]
    : [];
  const start = releases.find(({ parsed }) => parsed.text === version)!;
  const { moveReason, moveTo, moveBy } = findMove(start, deadlines, {
    choices: listChoices(
      releases,
      successors.map(({ choices }) => choices),
    ),
    successors,
    isSplit: false,
    day,
  });
  const target = moveTo === undefined ? 'nothing' : `${moveTo.component} ${moveTo.version}`;
  return moveReason === undefined
    ? 'stay'
    : `${moveReason} -> ${target}${moveBy === undefined ? '' : ` by ${moveBy}`}`;
}

test.each<[title: string, from: string, texts: string[], move: string]>([
  [
    'a release of an ended line moves to the newest release',
    '1.0',
    ['1.0 ended', '1.0.1 ended', '2.0 supported', '3.0 supported'],
    'ended -> svc 3.0',
  ],
  [
    'an affected release moves to the next release that is not affected',
    '1.0',
    ['1.0 supported!', '1.0.1 supported!', '1.0.2 supported', '2.0 supported'],
    'affected -> svc 1.0.2',
  ],
  [
    'a post-release is newer than the version without it',
    '1.9.0',
    ['1.8.0 supported', '1.9.0.post1 supported', '1.9.0 supported!'],
    'affected -> svc 1.9.0.post1',
  ],
  [
    'an affected release moves to the last letter of its version, such as 1.1.1w',
    '1.1.1k',
    ['1.1.1k supported!', '1.1.1w supported', '1.1.1 supported'],
    'affected -> svc 1.1.1w',
  ],
  [
    'a release stays if advisories affect all releases',
    '1.0',
    ['1.0 supported!', '1.1 supported!'],
    'stay',
  ],
  [
    'an affected release stays if the only safe release has ended',
    '2.0',
    ['1.0 ended', '2.0 supported!', '2.0.1 supported!'],
    'stay',
  ],
  [
    'a withdrawn release moves back to the release before it',
    '1.2',
    ['1.0 supported', '1.1 supported', '1.2 withdrawn'],
    'withdrawn -> svc 1.1',
  ],
  [
    'a release that is withdrawn and affected moves because it is withdrawn',
    '1.0',
    ['1.0 withdrawn!', '1.0.1 supported'],
    'withdrawn -> svc 1.0.1',
  ],
  [
    'a release that ends soon never moves to an older line',
    '2.0',
    ['1.0 supported', '2.0 ends-soon'],
    'ends-soon -> nothing',
  ],
  [
    'an ended release moves to a release that ends soon, if there is no better one',
    '1.0',
    ['1.0 ended', '2.0 ends-soon'],
    'ended -> svc 2.0',
  ],
  [
    'a release that may have ended has no target if all others may have ended too',
    '1.0',
    ['1.0 may-have-ended', '2.0 may-have-ended'],
    'may-have-ended -> nothing',
  ],
  [
    'an affected release moves to its fix in the same line, even if that line ends soon',
    '1.0',
    ['1.0 ends-soon!', '1.0.1 ends-soon'],
    'affected -> svc 1.0.1',
  ],
  [
    'an affected release moves to its fix in the same line, even if that line may have ended',
    '1.0',
    ['1.0 may-have-ended!', '1.0.1 may-have-ended', '1.0.2 may-have-ended!'],
    'affected -> svc 1.0.1',
  ],
  [
    'an affected release of a supported line moves to its fix in a line that ends soon',
    '1.0',
    ['1.0 supported!', '2.0 ends-soon'],
    'affected -> svc 2.0',
  ],
  [
    'an affected release moves back if the only fix is in an older line that ends soon',
    '2.0',
    ['1.0 ends-soon!', '1.0.1 ends-soon', '2.0 supported!'],
    'affected -> svc 1.0.1',
  ],
  [
    'a deprecated release moves back to one that ends soon, even if none is supported',
    '2.1',
    ['1.3 ended', '2.0.1 ends-soon', '2.1 deprecated'],
    'deprecated -> svc 2.0.1',
  ],
  [
    'a withdrawn release moves back to one of its line that ends soon, even if none is supported',
    '1.0.1',
    ['0.9 ends-soon', '1.0 ends-soon', '1.0.1 withdrawn'],
    'withdrawn -> svc 1.0',
  ],
  [
    'a deprecated release never moves to one that has ended',
    '2.1',
    ['2.0 ended', '2.1 deprecated'],
    'deprecated -> nothing',
  ],
  [
    'a deprecated release moves back to the nearest release, even if that ends soon',
    '2.1',
    ['1.3.1 supported', '2.0.1 ends-soon', '2.1 deprecated'],
    'deprecated -> svc 2.0.1',
  ],
  [
    'a supported release never moves to an affected release',
    '1.0',
    ['1.0 ends-soon', '2.0 no-promise!'],
    'ends-soon -> nothing',
  ],
  [
    'an ended release moves to a release that ends soon rather than to an affected one',
    '1.0',
    ['1.0 ended', '1.1 ends-soon', '2.0 supported!'],
    'ended -> svc 1.1',
  ],
  [
    'an ended release moves to an affected release, if there is no better one',
    '2.0',
    ['1.0 ends-soon', '2.0 ended', '3.0 supported!'],
    'ended -> svc 3.0',
  ],
  [
    'a prerelease is never a target',
    '1.0',
    ['1.0 ended', '2.0-rc.1 supported'],
    'ended -> nothing',
  ],
  [
    'a deprecated release moves within its own line first, even if that line ends soon',
    '1.0',
    ['1.0 deprecated', '1.0.1 ends-soon', '2.0 ends-soon'],
    'deprecated -> svc 1.0.1',
  ],
])('the recommended move follows the rule: %s', (_, from, texts, move) => {
  expect(moveFrom(from, texts)).toBe(move);
});

test.each<[title: string, texts: string[], replacement: string[], move: string]>([
  [
    'its greatest release that is supported and not affected',
    ['1.0 ended'],
    ['2.0 supported', '2.1 supported!', '2.2 ends-soon'],
    'ended -> edge 2.0',
  ],
  [
    'its later release if that has more support left',
    ['1.0 ended'],
    ['1.0 ends-soon', '2.0 ends-soon'],
    'ended -> edge 2.0',
  ],
  [
    'none of its releases if the component itself has a supported one',
    ['1.0 ended', '1.1 supported'],
    ['2.0 supported'],
    'ended -> svc 1.1',
  ],
  [
    'its supported release rather than a release of the component that ends soon',
    ['1.0 ended', '1.1 ends-soon'],
    ['2.0 supported'],
    'ended -> edge 2.0',
  ],
  [
    "none of its releases if none is better than the component's own",
    ['1.0 ended', '1.1 ends-soon'],
    ['2.0 ends-soon'],
    'ended -> svc 1.1',
  ],
])('if a component has a replacement, the advice recommends %s', (_, texts, replacement, move) => {
  expect(moveFrom('1.0', texts, replacement)).toBe(move);
});

test.each([
  ['ends-soon', { 'ends-soon': '2026-12-31' }, ' by 2026-12-31'],
  ['ends-soon', { 'ends-soon': day }, ` by ${day}`],
  ['ends-soon', { 'ends-soon': '2026-11-21' }, ''],
  ['deprecated', { 'ends-soon': '2026-12-31' }, ''],
])(
  'advice gives the deadline of a release that ends soon: state "%s", deadlines %j, added text "%s"',
  (state, deadlines, by) => {
    const texts = [`1.0 ${state}`, '1.1 supported'];

    expect(moveFrom('1.0', texts, undefined, deadlines)).toBe(`${state} -> svc 1.1${by}`);
  },
);
