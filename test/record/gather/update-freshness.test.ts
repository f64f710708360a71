import { expect, test } from 'vitest';
import { updateFreshness } from '../../../src/record/gather/update-freshness.ts';

test('a rejected answer leaves earlier versions pending, and adds its own', () => {
  const day = '2026-06-02';
  const before = { sources: { 'maven:g:a': { since: '2026-06-01', pending: ['1.2', '1.3'] } } };
  const failure = { id: 'maven:g:a', kind: 'failed', reason: 'lists 1 of 10', at: day } as const;
  const readPending = (pending?: string[]) => {
    const none = { missing: {}, releases: [] };
    const { sources } = updateFreshness(before, [{ ...failure, pending }], day, none);
    return sources['maven:g:a']?.pending;
  };

  expect(readPending()).toEqual(['1.2', '1.3']);
  expect(readPending([])).toEqual(['1.2', '1.3']);
  expect(readPending(['1.3', '1.1'])).toEqual(['1.1', '1.2', '1.3']);
});
