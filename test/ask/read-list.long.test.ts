import { expect, test } from 'vitest';
import { readList } from '../../src/ask/read-list.ts';

const names = new Map([['svc', [{ component: 'svc' }]]]);

const repeat = (part: string) => part.repeat(1_000_000 / part.length);

/** A search that begins again at each place would exceed the limit of time by far: it takes minutes or hours. */
test.each([
  ...[
    '\n',
    ' ',
    '\n# \n',
    '[',
    '{"a":',
    'a',
    '-',
    ':',
    '@',
    '=',
    '"',
    '",',
    '"a\n',
    '"" ',
    '\t',
    ',',
  ],
  ...[
    'a ',
    'a@',
    'a:',
    'a==',
    'a/',
    'a.',
    '1.',
    'pkg:npm/',
    '%',
    '- ',
    '# ',
    '//',
    'a\n',
    'a 1\n',
    '💥',
  ],
])('reads 1 MB of %j, even in an entry and in a table', (part) => {
  const { items } = readList(`svc 2025.1\n${repeat(part)}`, names);
  readList(repeat(part), names);
  readList(`svc ${repeat(part)}x`, names);
  readList(`name,version\n${repeat(part)}`, names);
  readList(`image\ttag\n${repeat(part)}`, names);
  readList(`"name","version"\n"${repeat(part)}`, names);

  expect(items[0]).toMatchObject({ name: 'svc', version: '2025.1' });
});
