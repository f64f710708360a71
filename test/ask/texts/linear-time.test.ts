import { expect, test } from 'vitest';
import { findVersions } from '../../../src/ask/texts/find-versions.ts';
import { findGrowth } from '../../harness/growth.ts';

/** 1,200 names, many of which begin alike. */
const components = Array.from({ length: 400 }, (_, at) => ({
  name: `build-agent-${at}`,
  title: `Build agent for the tool number ${at} of the many tools that people build with`,
  aliases: [`com.example.agent-${at}`],
}));
// Names of repeated words, so that one begins at each word of a text.
const repeated = [`${'a '.repeat(49)}b`, `${'a.'.repeat(30)}b`, `${'a:'.repeat(45)}b`];
components.push({ name: 'svc', title: 'Server', aliases: ['@a/b', ...repeated] });
const names = {
  components,
  packages: new Map([['pkg:npm/%40a/c', [{ component: 'svc' }]]]),
};

/** Repeats a text up to a length, in lines of at most 900 characters. */
function inLines(part: string, length: number): string {
  const line = `${part.repeat(Math.max(1, Math.floor(899 / part.length)))}\n`;
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
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
    ' ',
    '\t',
  ],
  ...['[a](', '${a:-', '<!--', '<a>', 'id ("', 'a[b', 'name: ', 'pkg:npm/%40', '@a/', 'a:b:', '#'],
  ...['svc ', 'svc 1.0 ', 'svc\n', 'svc >=1 <', 'svc [1,', 'svc:\n ', 'svc@sha256:', '1.0 of svc '],
  ...['Build agent for the tool number ', 'Build agent for the tool number 1 of the many tools '],
  ...[
    'a=${a}\n',
    '[versions]\n',
    '","name="',
    '" % "',
    '</groupId><artifactId>',
    '# renovate: svc\n',
  ],
  ...['a-', 'a.', 'a/', 'a:'],
  ...['lockfileVersion svc ', '\\u0041', 'x.example/svc:', 'svc, 1.0, 1.1, ', 'pkg:npm/%40a/c@1 '],
];

const kinds = parts.flatMap((part): [string, (length: number) => string][] => [
  [JSON.stringify(part), (length) => inLines(part, length)],
  [`${JSON.stringify(part)} in one line`, (length) => part.repeat(length / part.length)],
]);

kinds.push(
  ['a long number behind "rc"', (length) => `1 rc${'0'.repeat(length)}x`],
  ['a long number behind "-rc "', (length) => `1-rc ${'0'.repeat(length)}x`],
  ['comments before a carriage return', (length) => `${'\t#'.repeat(length / 2)}\r`],
);

function leastTime(text: string, rounds = 5): number {
  const times = Array.from({ length: rounds }, () => {
    const start = process.threadCpuUsage();
    findVersions(text, names);
    return process.threadCpuUsage(start).user;
  });

  return Math.min(...times);
}

/** Microseconds. Less than this is noise. */
const least = 2000;

// Work that grows with the square would take 64 times as long.
test.each(kinds)(
  'a text eight times as long takes less than 30 times as long: %s',
  async (_, make) => {
    expect(await findGrowth((length) => leastTime(make(length), 1), 8000)).toBeLessThan(30);
  },
);

test('a text of catalogues of Gradle that is eight times as long takes less than 30 times as long', async () => {
  const make = (length: number) => inLines('[versions]\nsvc = 10000\n', length);

  expect(await findGrowth((length) => leastTime(make(length), 1), 128_000)).toBeLessThan(30);
});

test('a text of versions above their names that is eight times as long takes less than 30 times as long', async () => {
  const make = (length: number) =>
    '\n'.repeat(length) + inLines('version: ${X}, svc\nname: svc\n\n', length);

  expect(await findGrowth((length) => leastTime(make(length), 1), 16_000)).toBeLessThan(30);
});

test('a revision of many words of distributions takes no longer than one of a word', () => {
  const make = (words: string) => `svc 1.2.0-1${words}*x\n`.repeat(9);
  const ratio = leastTime(make('el'.repeat(24)), 1) / Math.max(leastTime(make('el')), least);

  expect(ratio).toBeLessThan(30);
});

test.each([' ', '" ', '| ', ') '])(
  'a line with %j many times between a version and a name takes no longer than one with letters',
  (blank) => {
    const make = (part: string) => `1.2.3${part.repeat(190 / part.length)}!svc\n`.repeat(200);
    const ratio = leastTime(make(blank), 1) / Math.max(leastTime(make('x')), least);

    expect(ratio).toBeLessThan(30);
  },
);

test('a value that names itself many times takes no longer than one that names nothing', () => {
  const make = (name: string) => `<a>${`\${${name}}`.repeat(50)}</a>\n${'svc ${a}\n'.repeat(9)}`;
  const ratio = leastTime(make('a'), 1) / Math.max(leastTime(make('b')), least);

  expect(ratio).toBeLessThan(30);
});
