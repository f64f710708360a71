import { expect, test } from 'vitest';
import { describeNeed, planInWords } from '../../../src/ask/plan/plan-words.ts';

const nothing = {
  ...{ versions: 5, questions: 0, steps: [], conflicts: [], stuck: 0, unknown: 0 },
  ...{ affected: [], unstated: [], unwatched: [], onward: '', nextDue: undefined },
};
test.each([
  [{ conflicts: [{}] as never }, 'One conflict remains.'],
  [{ conflicts: [{}, {}] as never }, 'Two conflicts remain.'],
  [{ stuck: 1 }, 'One version has nothing to move to yet.'],
  [{ stuck: 3 }, 'Three versions have nothing to move to yet.'],
  [{ unknown: 1 }, 'One version is not known.'],
  [{ unknown: 2 }, 'Two versions are not known.'],
])('a plan with %j says so', (more, words) => {
  expect(planInWords({ ...nothing, ...more })).toContain(words);
});

test('a need of one feature names the feature', () => {
  const side = (component: string, version: string) => ({ component, version }) as never;
  const need = describeNeed(
    {
      statement: { from: '2.0', feature: 'the cache' },
      subject: side('agent', '1.0'),
      object: side('server', '1.0'),
    } as never,
    (component) => `The ${component}`,
  );

  expect(need).toBe('The agent 1.0 needs The server 2.0 or later for the cache.');
});
