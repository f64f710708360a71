import { expect, test } from 'vitest';
import { drawSteps } from '../../../../src/site/page/plan/draw-plan.ts';

/** A version that moves to 2.0. */
function outcomeOf(title: string, state: string) {
  const details = { component: title.toLowerCase(), title, releases: [], lines: [] };
  const answer = {
    ...{ state, version: '1.0', component: details.component },
    releasesBetween: [],
  };
  const [start, end] = ['1.0', '2.0'].map((version) => ({ details, version }));
  return { input: { answer, details }, start, end, move: {} };
}

test('a step of several versions is due for the version in the worst state', () => {
  const outcomes = [outcomeOf('Agent', 'supported'), outcomeOf('Server', 'ended')];
  const together = outcomes.map(({ move }) => move);
  const steps = [{ together, reason: 'ended', text: 'Move both.', resolves: [] }];
  const plan = { steps, conflicts: [], nothingToDo: [] };

  const { markup } = drawSteps(plan as never, outcomes as never);

  expect(markup).toContain('<li class="tone-gone" data-mark="1"><p class="when">Now: ended</p>');
});

test.each([
  ['1.0', '1.9', '1 version with newer releases'],
  ['1.9', '1.9', '1 version without a newer release to use'],
  ['2.0-rc1', '1.9', '1 version without a newer release to use'],
  ['1.0-rc1', undefined, '1 version without a newer release to use'],
])('%s is compared with the newest version %s', (version, newest, heading) => {
  const { input, ...agent } = outcomeOf('Agent', 'no-promise');
  const start = { ...agent.start, version };
  const answer = { ...input.answer, version, newest, label: 'No end stated' };
  const plan = { steps: [], conflicts: [], nothingToDo: [`agent@${version}`] };

  const { markup } = drawSteps(
    plan as never,
    [{ ...agent, input: { ...input, answer }, start, end: start }] as never,
  );

  expect(markup).toContain(`<h2>${heading}</h2>`);
});
