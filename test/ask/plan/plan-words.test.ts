import { expect, test } from 'vitest';
import { dropUndefined } from '../../../src/core/model/objects.ts';
import { isQuestion, type NotRead } from '../../../src/ask/texts/identified-text.ts';
import { describePlan } from '../../../src/ask/plan/plan-summary-words.ts';

const nothing = {
  ...{ versions: 5, questions: 0, steps: [], conflicts: [], stuck: 0, unknown: 0 },
  ...{ affected: [], unstated: [], unwatched: 0, onward: '', nextDue: undefined },
};
test.each([
  [{ conflicts: [{}] as never }, 'One conflict remains.'],
  [{ conflicts: [{}, {}] as never }, 'Two conflicts remain.'],
  [{ stuck: 1 }, 'One version has nothing to move to yet.'],
  [{ stuck: 3 }, 'Three versions have nothing to move to yet.'],
  [{ unknown: 1 }, 'One version is not known.'],
  [{ unknown: 2 }, 'Two versions are not known.'],
])('a plan with %j says so', (more, words) => {
  expect(describePlan({ ...nothing, ...more })).toContain(words);
});

const step = (by?: string) => ({ ...(by && { by }), text: '', resolves: [] }) as never;
const stays = {
  unstated: ['a 1 with b 1: not stated.'],
  unwatched: 5,
};

test.each<[summary: object, words: string]>([
  [{ versions: 0 }, 'No version of this index was read.'],
  [{ versions: 1, questions: 1 }, '1 question first.'],
  [{ versions: 0, questions: 2 }, '2 questions first.'],
  [{ questions: 1, steps: [step()] }, '1 question first. Then one thing to do now.'],
  [{}, 'Nothing is due.'],
  [{ nextDue: '2027-01-05' }, 'Nothing is due before 5 Jan 2027.'],
  [stays, 'Nothing is due. a 1 with b 1: not stated. Advisories: not known.'],
  [{ ...stays, unstated: ['a', 'b'] }, 'Nothing is due. Advisories: not known.'],
  [{ unwatched: 1 }, 'Nothing is due. Advisories: not known for 1 of 5.'],
  [{ conflicts: [{}], stuck: 1 }, 'One conflict remains. One version has nothing to move to yet.'],
  [
    { conflicts: [{}, {}], unknown: 2, nextDue: '2027-01-05' },
    'Two conflicts remain. Two versions are not known. Nothing else is due before 5 Jan 2027.',
  ],
  [
    { affected: ['It is affected.'], nextDue: '2027-01-05' },
    'It is affected. Nothing else is due before 5 Jan 2027.',
  ],
  [
    { unknown: 1, affected: ['It is affected.'], nextDue: '2027-01-05' },
    'One version is not known. It is affected. Nothing else is due before 5 Jan 2027.',
  ],
  [
    { steps: [step()], onward: 'Then go on to A 2.', nextDue: '2027-01-05' },
    'One thing to do now. Then go on to A 2. Then nothing else is due before 5 Jan 2027.',
  ],
  [
    { steps: [step('2027-01-05'), step('2026-12-05')] },
    'Two things to do: one by 5 Jan 2027, one by 5 Dec 2026.',
  ],
  [
    { steps: [step(), step('2026-12-05'), step('2027-01-05')] },
    'Three things to do: one now, one by 5 Dec 2026, one by 5 Jan 2027.',
  ],
  [
    { steps: [step(), step('2027-01-05'), step('2026-12-05'), step('2026-12-24')] },
    'Four things to do: one now, three by 5 Jan 2027.',
  ],
  [{ steps: Array.from({ length: 10 }, () => step()) }, '10 things to do now.'],
])('a plan with %j is told as "%s"', (summary, words) => {
  expect(describePlan({ ...nothing, ...summary })).toBe(words);
});

test.each<[NotRead['reason'], string[] | undefined, boolean]>([
  ['guess', ['svc@1.0'], true],
  ['guess', undefined, false],
  ['unknown', ['svc@1.0'], false],
  ['no-version', undefined, false],
])(
  'what is not read for the reason %s, with %j, is a question: %s',
  (reason, didYouMean, expected) => {
    const part = dropUndefined({ text: 'the agent 1.0', reason, didYouMean });

    expect(isQuestion(part)).toBe(expected);
  },
);
