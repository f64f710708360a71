import { expect, test } from 'vitest';
import { findNextLink } from '../../../src/record/sources/shared/requests.ts';

function next(link: string): string | undefined {
  return findNextLink({
    url: 'https://api.example/v2/tags?n=100',
    headers: new Map([['link', link]]),
  });
}

test.each([
  ['</v2/tags?last=1.0&n=100>; rel="next"', 'https://api.example/v2/tags?last=1.0&n=100'],
  ['<?page=2>; rel=next', 'https://api.example/v2/tags?page=2'],
  [
    '<https://api.example/3>; rel="prev", <https://api.example/5>; rel="next"',
    'https://api.example/5',
  ],
  ['</a,b;c>; title="x, <y>; rel=\\"next\\""; REL="last Next"', 'https://api.example/a,b;c'],
  ['</first>; rel="first"; rel="next"', undefined],
  ['</about>; rel="next"; anchor="/other"', undefined],
  ['</last>; rel="last"', undefined],
  ['nonsense', undefined],
])('the reader of Link headers reads %s', (link, expected) => {
  expect(next(link)).toBe(expected);
});

test.each([
  ['<https://evil.example/5?key=1>; rel="next"', 'https://evil.example/5?…'],
  ['<http://api.example/5>; rel="next"', 'http://api.example/5'],
  ['<https://[>; rel="next"', 'https://['],
])('the reader of Link headers rejects %s', (link, shown) => {
  expect(() => next(link)).toThrow(
    `https://api.example/v2/tags: next: expected an address at the same host; got "${shown}"`,
  );
});

test.each(['<?page=2>; rel=next, x', "<?page=2>; rel=next; title*=UTF-8''%e2"])(
  'a list does not end at the unreadable Link header %s',
  (link) => {
    expect(() => next(link)).toThrow('https://api.example/v2/tags: its header Link cannot be read');
  },
);
