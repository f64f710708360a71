import { expect, test } from 'vitest';
import { listOwners } from '../../src/ask/owners.ts';
import { cutQuestion, isPurl, readQuestion } from '../../src/ask/question.ts';

const names = listOwners({
  components: {
    node: { title: 'Node.js', packages: [{ purl: 'pkg:npm/node' }] },
    debian: { title: 'Debian' },
    'front-end': { title: 'Front end' },
    ends: { title: 'Version ends' },
    dotnet: { title: 'Microsoft .NET' },
  } as never,
});

test.each([
  ['is node 20 still supported?', 'node 20'],
  ['When does Node.js 20.1 reach end of life?!', 'Node.js 20.1'],
  ['how long can I use the front end 2.1', 'front end 2.1'],
  ['debian 13 LTS', 'debian 13'],
  ['debian lts', 'debian lts'],
  ['node 20', 'node 20'],
  ['version ends', 'version ends'],
  ['Version ends 3', 'Version ends 3'],
  ['is it supported', 'it'],
  ['supported', 'supported'],
  ['???', '???'],
  [`is ${'node '.repeat(40)}`, `is ${'node '.repeat(40)}`],
])('of the question %j, this remains: %j', (question, rest) => {
  expect(cutQuestion(question, names)).toBe(rest);
});

test('a question of exactly 200 characters is still read', () => {
  const end = ' still supported?';
  const start = `node ${'2'.repeat(195 - end.length)}`;

  expect(cutQuestion(start + end, names)).toBe(start);
  expect(cutQuestion(`${start}2${end}`, names)).toBe(`${start}2${end}`);
});

test.each<[question: string, item: object | undefined]>([
  ['is node 20 still supported?', { name: 'node', version: '20' }],
  ['node', { name: 'node', version: undefined }],
  ['node:20.1', { name: 'node', version: '20.1' }],
  ['node@20.1', { name: 'node', version: '20.1' }],
  ['Node.js 20', { name: 'Node.js', version: '20' }],
  ['debian bookworm', { name: 'debian', version: 'bookworm' }],
  ['debian:bookworm-slim', { name: 'debian', version: 'bookworm-slim' }],
  ['pkg:npm/node@20.1', { version: '20.1' }],
  ['pkg:npm/other@1', { version: '1' }],
  ['is .net core 3.1 supported?', { isInWords: true }],
  // These are queries, or name nothing.
  ['node isLatest', undefined],
  ['node islatest', undefined],
  ['node or', undefined],
  ['node AND', undefined],
  ['node version:20', undefined],
  ['left pad 1.0', undefined],
  ['isLatest', undefined],
])('the question %j names %j', (question, item) => {
  const read = readQuestion(question, names);

  if (item === undefined) {
    expect(read).toBeUndefined();
  } else {
    expect(read).toMatchObject(item);
  }
});

test.each([
  ['pkg:npm/a', true],
  ['PKG:npm/a', true],
  ['see pkg:npm/a', false],
  ['pkg', false],
])('%j is a package URL: %s', (text, expected) => {
  expect(isPurl(text)).toBe(expected);
});
