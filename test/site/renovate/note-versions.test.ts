/** Checks for which versions in pull requests a note is written. */
import { expect, test } from 'vitest';
import { createPatternWriter, listOwnLines } from '../../../src/site/renovate/note-versions.ts';
import { judgeComponents } from '../../harness/components.ts';

/** Returns the pattern writer of a component with these releases and lines. */
function write(lines: readonly string[], versions: readonly string[]) {
  const ends = Object.fromEntries(lines.map((line) => [line, '2099-01-01']));
  const releases = Object.fromEntries(versions.map((version) => [version, '2026-01-01']));
  const definition = { support: { policy: 'dated', lines: ends } };
  const [component] = judgeComponents({ svc: { definition, releases } }).components;
  return { component: component!, writePatterns: createPatternWriter(component!) };
}

const select = (pattern: string, versions: string) =>
  versions.split(' ').filter((version) => new RegExp(`^(?:${pattern})$`).test(version));

test.each([
  [['2025.1'], ['2025.1'], '2025.1 2025.01 2025.1.9 2025.1-alpine', '2025.10 2025 2025.2 12025.1'],
  // Line 3 contains line 3.1, so its listed release 3.2.0 shows that 3.2.5 belongs to it.
  [['3'], ['3', '3.1'], '3.2.0 3.2.5 3.2 3.4 3.4.5', '3.1 3.1.0 3.3.0 3'],
  [['3.1'], ['3', '3.1'], '3.1 3.1.0 3.1.9', '3.2.0 3 3.10'],
])(
  'a note about the lines %j of %j is written for %s, but not for %s',
  (names, lines, own, others) => {
    const { writePatterns } = write(lines, ['3.1.0', '3.2.0', '3.4', '2025.1.0']);
    const { current } = writePatterns({ occasion: 'line in use', names });

    expect(select(current!, `${own} ${others}`).join(' ')).toBe(own);
  },
);

test.each([
  [['1.0', '2.0.1'], '1.0 1.0.0 2.0.1', '1.0.1 2.0.10 2.0.1.1 1'],
  // 3.0.0 is a release of its own.
  [['3.0'], '3.0', '3.0.0 3.0.1'],
])('a note about the releases %j is written for %s, but not for %s', (names, own, others) => {
  const { writePatterns } = write(['1.0'], ['1.0', '2.0.1', '3.0', '3.0.0']);
  const { current } = writePatterns({ occasion: 'release in use', names });

  expect(select(current!, `${own} ${others}`).join(' ')).toBe(own);
});

test.each([
  ['proposed line', { proposed: expect.any(String), notCurrent: expect.any(String) }],
  ['proposed ended line', { proposed: expect.any(String) }],
  ['proposed release', { proposed: expect.any(String) }],
  ['component', {}],
] as const)(
  'a note on the occasion "%s" looks only at the versions of that occasion',
  (occasion, keys) => {
    const { writePatterns } = write(['1.0'], ['1.0.0']);

    expect(writePatterns({ occasion, names: ['1.0'] })).toEqual(keys);
  },
);

test('a line without a listed release has no note if it contains another line', () => {
  const { component } = write(['3', '3.1', '4'], ['3.1.0']);

  expect(listOwnLines(component).map(({ line }) => line)).toEqual(['3.1', '4']);
});
