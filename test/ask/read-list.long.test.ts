import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readList } from '../../src/ask/read-list.ts';

const names = new Map([['svc', [{ component: 'svc' }]]]);

const repeat = (part: string) => part.repeat(1_000_000 / part.length);

/**
 * A regular expression that starts over at each character would take minutes, and exceed the test's
 * time limit.
 */
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
])('the list reader reads 1 MB of %j without a timeout', (part) => {
  const { items } = readList(`svc 2025.1\n${repeat(part)}`, names);
  readList(repeat(part), names);
  readList(`svc ${repeat(part)}x`, names);
  readList(`name,version\n${repeat(part)}`, names);
  readList(`image\ttag\n${repeat(part)}`, names);
  readList(`"name","version"\n"${repeat(part)}`, names);

  expect(items[0]).toMatchObject({ name: 'svc', version: '2025.1' });
});

test('the list reader reads any text as a list without an error', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json());
  fc.assert(
    fc.property(text, text, (a, b) => {
      readList(`${a}\n${b}`, names);
      readList(
        `{"bomFormat": "CycloneDX", "components": [${JSON.stringify({ name: a, purl: b })}]}`,
        names,
      );
    }),
  );
});
