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

test('a read that fails late does not drop what a later read has kept', async () => {
  const failures: ((error: Error) => void)[] = [];
  let reads = 0;
  const readDetails = () => {
    reads += 1;
    return reads === 1
      ? new Promise<undefined>((_, reject) => failures.push(reject))
      : Promise.resolve(undefined);
  };
  const index = keepDetails<Pick<AnswerIndex, 'details'>>({ details: readDetails });

  const late = index.details('svc');
  await Promise.all(Array.from({ length: 20 }, (_, each) => index.details(`other-${each}`)));
  await index.details('svc');
  failures[0]!(new Error('gone'));
  await expect(late).rejects.toThrow('gone');
  await index.details('svc');

  expect(reads).toBe(22);
});
