import { expect, test } from 'vitest';
import { collect, findTarget } from '../../src/core/http-limits.ts';

const bytes = [Buffer.from('abc'), Buffer.from('de')];

test.each([
  [6, 'abcde'],
  [5, 'abcde'],
  [4, undefined],
])('with a limit of %i bytes, five bytes are read as %j', async (limit, text) => {
  expect((await collect(bytes, limit))?.toString()).toBe(text);
});

test.each([
  [301, '/next', '/next'],
  [308, 'https://example.com/', 'https://example.com/'],
  [302, undefined, undefined],
  [302, '', undefined],
  [304, '/next', undefined],
  [200, '/next', undefined],
])('an answer with status %i and location %j leads to %j', (status, location, target) => {
  const headers = new Headers(location === undefined ? {} : { location });

  expect(findTarget(status, headers)).toBe(target);
});
