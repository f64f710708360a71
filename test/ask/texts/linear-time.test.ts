import { expect, test } from 'vitest';
import { readText } from '../../../src/ask/texts/read-text.ts';

/** Repeats a text up to a length, in lines of at most 900 characters. */
function inLines(part: string, length: number): string {
  const line = `${part.repeat(Math.max(1, Math.floor(899 / part.length)))}\n`;
  return line.repeat(Math.ceil(length / line.length));
}

const parts = [
  ...[
    'a',
    'a ',
    '1.',
    '1.0 ',
    '@',
    '=',
    ':',
    '/',
    '|',
    '"',
    "'",
    '(',
    '[',
    '{',
    '<',
    '>',
    ',',
    '`',
  ],
  ...['[a](', '${a:-', '<!--', '<a>', 'id ("', 'a[b', 'name: ', 'pkg:npm/%40', '@a/', 'a:b:', '#'],
];
const wholes: readonly (readonly [string, (length: number) => string])[] = [
  ['one line', (length) => 'a'.repeat(length)],
  ['one line of commas', (length) => ','.repeat(length)],
  ['brackets', (length) => '['.repeat(length)],
  ['objects', (length) => '{"a":'.repeat(length / 5)],
  ['elements', (length) => '<artifactId>'.repeat(length / 12)],
  ['comments', (length) => `<artifactId>${'<!--'.repeat(length / 4)}`],
  ['a lock file of pnpm', (length) => `lockfileVersion: 9\n${'  a: b\n'.repeat(length / 7)}`],
  ['a lock file of Yarn', (length) => `# yarn lockfile v1\n${'a@^1, '.repeat(length / 6)}`],
  ['requirements', (length) => `-r x\n${'a[b]==1 \\\n'.repeat(length / 10)}`],
  ['comments for Renovate', (length) => '# renovate: datasource=a depName=b\n'.repeat(length / 36)],
];
const kinds = [
  ...parts.map((part) => [part, (length: number) => inLines(part, length)] as const),
  ...wholes,
];

function leastTime(text: string, rounds = 5): number {
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    readText(text, Infinity);
    return process.cpuUsage(start).user;
  });
  return Math.min(...times);
}

/** Microseconds. Less than this is noise. */
const least = 2000;

// Work that grows with the square would take 64 times as long.
test.each(kinds)('a text eight times as long takes less than 30 times as long: %s', (_, make) => {
  const long = make(256_000);
  let ratio = leastTime(long, 1) / least;

  if (ratio >= 30) {
    ratio = leastTime(long) / Math.max(leastTime(make(32_000)), least);
  }

  expect(ratio).toBeLessThan(30);
});
