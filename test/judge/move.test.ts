import { expect, test } from 'vitest';
import type { State } from '../../src/core/schema/published.ts';
import { readVersion } from '../../src/core/version.ts';
import { findMove, listChoices } from '../../src/judge/move.ts';

const day = '2026-11-22';

/** `1.0 ended`, `1.1 supported!`: a release with its state, and `!` where an advisory affects it. */
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

/** `ended -> svc 3.0 by 2026-12-31`; `-> nothing` where there is nothing to move to. */
function moveFrom(
  version: string,
  texts: string[],
  replacement?: string[],
  deadlines = {},
): string {
  const releases = readReleases(texts);
  const successor = replacement && listChoices(readReleases(replacement, 'edge'));
  const start = releases.find(({ parsed }) => parsed.text === version)!;
  const { moveReason, moveTo, moveBy } = findMove(start, deadlines, {
    choices: listChoices(releases, successor),
    replacement: successor && { title: 'Edge', choices: successor },
    day,
  });
  const target = moveTo === undefined ? 'nothing' : `${moveTo.component} ${moveTo.version}`;
  return moveReason === undefined
    ? 'stay'
    : `${moveReason} -> ${target}${moveBy === undefined ? '' : ` by ${moveBy}`}`;
}

test.each<[title: string, from: string, texts: string[], move: string]>([
  [
    'an ended line leads to the newest',
    '1.0',
    ['1.0 ended', '1.0.1 ended', '2.0 supported', '3.0 supported'],
    'ended -> svc 3.0',
  ],
  [
    'an advisory leads to a release that it does not affect',
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
    'of versions with letters, the last one',
    '1.1.1k',
    ['1.1.1k supported!', '1.1.1w supported', '1.1.1 supported'],
    'affected -> svc 1.1.1w',
  ],
  [
    'an advisory that affects all is no reason',
    '1.0',
    ['1.0 supported!', '1.1 supported!'],
    'stay',
  ],
  [
    'an advisory is no reason where the only safe release has ended',
    '2.0',
    ['1.0 ended', '2.0 supported!', '2.0.1 supported!'],
    'stay',
  ],
  [
    'a pulled release leads back',
    '1.2',
    ['1.0 supported', '1.1 supported', '1.2 withdrawn'],
    'withdrawn -> svc 1.1',
  ],
  [
    'withdrawn comes before affected',
    '1.0',
    ['1.0 withdrawn!', '1.0.1 supported'],
    'withdrawn -> svc 1.0.1',
  ],
  [
    'a line that ends leads to no older release',
    '2.0',
    ['1.0 supported', '2.0 ends-soon'],
    'ends-soon -> nothing',
  ],
  [
    'what ended leads to what ends soon, where that is all',
    '1.0',
    ['1.0 ended', '2.0 ends-soon'],
    'ended -> svc 2.0',
  ],
  [
    'where all may have ended, there is nothing',
    '1.0',
    ['1.0 may-have-ended', '2.0 may-have-ended'],
    'may-have-ended -> nothing',
  ],
  [
    'an advisory leads to its fix in a line that ends soon',
    '1.0',
    ['1.0 ends-soon!', '1.0.1 ends-soon'],
    'affected -> svc 1.0.1',
  ],
  [
    'an advisory leads to its fix in a line that may have ended',
    '1.0',
    ['1.0 may-have-ended!', '1.0.1 may-have-ended', '1.0.2 may-have-ended!'],
    'affected -> svc 1.0.1',
  ],
  [
    'an advisory leads to its fix in a line that ends soon, even from a supported line',
    '1.0',
    ['1.0 supported!', '2.0 ends-soon'],
    'affected -> svc 2.0',
  ],
  [
    'an advisory leads back if the only fix is in an older line that ends soon',
    '2.0',
    ['1.0 ends-soon!', '1.0.1 ends-soon', '2.0 supported!'],
    'affected -> svc 1.0.1',
  ],
  [
    'a deprecated release leads back to the nearest one, even if that ends soon',
    '2.1',
    ['1.3.1 supported', '2.0.1 ends-soon', '2.1 deprecated'],
    'deprecated -> svc 2.0.1',
  ],
  [
    'nobody leaves a supported release for an affected one',
    '1.0',
    ['1.0 ends-soon', '2.0 no-promise!'],
    'ends-soon -> nothing',
  ],
  [
    'what ended leads rather to what ends soon than to what is affected',
    '1.0',
    ['1.0 ended', '1.1 ends-soon', '2.0 supported!'],
    'ended -> svc 1.1',
  ],
  [
    'what ended leads to an affected release, where that is all',
    '2.0',
    ['1.0 ends-soon', '2.0 ended', '3.0 supported!'],
    'ended -> svc 3.0',
  ],
  ['a prerelease is no target', '1.0', ['1.0 ended', '2.0-rc.1 supported'], 'ended -> nothing'],
  [
    'of those with a reason, that of the line comes first',
    '1.0',
    ['1.0 deprecated', '1.0.1 ends-soon', '2.0 ends-soon'],
    'deprecated -> svc 1.0.1',
  ],
])('%s', (_, from, texts, move) => {
  expect(moveFrom(from, texts)).toBe(move);
});

test.each<[title: string, texts: string[], replacement: string[], move: string]>([
  [
    'the greatest good release of it',
    ['1.0 ended'],
    ['2.0 supported', '2.1 supported!', '2.2 ends-soon'],
    'ended -> edge 2.0',
  ],
  [
    'one whose state is better',
    ['1.0 ended'],
    ['1.0 ends-soon', '2.0 ends-soon'],
    'ended -> edge 2.0',
  ],
  [
    'none, where the component itself has a good one',
    ['1.0 ended', '1.1 supported'],
    ['2.0 supported'],
    'ended -> svc 1.1',
  ],
  [
    'a good one rather than what ends soon',
    ['1.0 ended', '1.1 ends-soon'],
    ['2.0 supported'],
    'ended -> edge 2.0',
  ],
  [
    'none, where its own is better, too',
    ['1.0 ended', '1.1 ends-soon'],
    ['2.0 ends-soon'],
    'ended -> svc 1.1',
  ],
])('recommends %s of the replacement', (_, texts, replacement, move) => {
  expect(moveFrom('1.0', texts, replacement)).toBe(move);
});

test.each([
  ['ends-soon', { 'ends-soon': '2026-12-31' }, ' by 2026-12-31'],
  ['ends-soon', { 'ends-soon': day }, ` by ${day}`],
  ['ends-soon', { 'ends-soon': '2026-11-21' }, ''],
  ['deprecated', { 'ends-soon': '2026-12-31' }, ''],
])('advises on a release that is %s with %j: "%s"', (state, deadlines, by) => {
  const texts = [`1.0 ${state}`, '1.1 supported'];

  expect(moveFrom('1.0', texts, undefined, deadlines)).toBe(`${state} -> svc 1.1${by}`);
});
