import { expect, test, vi } from 'vitest';
import { memoize } from '../../src/core/memoize.ts';

test('each key is made once', () => {
  const make = vi.fn((key: string) => ({ key }));
  const read = memoize(make);

  const first = read('a');

  expect(read('a')).toBe(first);
  expect(read('b')).toEqual({ key: 'b' });
  expect(make.mock.calls).toEqual([['a'], ['b']]);
});
