import { expect, test } from 'vitest';
import { keepDetails, type AnswerIndex } from '../../../src/ask/answers/answer-index.ts';

test('kept details are read once, and again after a failed read', async () => {
  const reads: (() => Promise<undefined>)[] = [
    () => Promise.reject(new Error('gone')),
    () => Promise.resolve(undefined),
  ];
  const index = keepDetails<Pick<AnswerIndex, 'details'>>({ details: () => reads.shift()!() });

  await expect(index.details('svc')).rejects.toThrow('gone');
  await index.details('svc');
  await index.details('svc');

  expect(reads).toEqual([]);
});
