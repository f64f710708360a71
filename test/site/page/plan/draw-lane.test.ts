import { expect, test } from 'vitest';
import type { Outcome } from '../../../../src/ask/plan/plan-outcomes.ts';
import { drawLane } from '../../../../src/site/page/plan/draw-lane.ts';

const plan = { asOf: '2026-11-20' } as never;

/** A version that is to be moved by a day, or now. */
function outcomeOf(title: string, by?: string): Outcome {
  return { step: { by }, start: { details: { title }, version: '1.0' } } as never;
}

function readLane(outcomes: readonly Outcome[]) {
  const { markup } = drawLane(plan, outcomes) as { markup: string };
  return {
    places: Array.from(markup.matchAll(/ cx="(.*?)"/g), ([, place]) => place),
    days: Array.from(markup.matchAll(/datetime="(.*?)"/g), ([, day]) => day),
  };
}

test('a plan whose only step is due today has both marks in one place', () => {
  expect(readLane([outcomeOf('Server', '2026-11-20')])).toEqual({
    places: ['0.00%', '0.00%'],
    days: ['2026-11-20', '2026-11-20'],
  });
});

test('the marks of a plan are to scale, in the order of their days', () => {
  const outcomes = [outcomeOf('Server', '2026-11-30'), outcomeOf('Agent', '2026-11-25')];

  expect(readLane([...outcomes, outcomeOf('Node')])).toEqual({
    places: ['0.00%', '50.00%', '100.00%'],
    days: ['2026-11-20', '2026-11-25', '2026-11-30'],
  });
});

test('a plan without a later day has no picture', () => {
  expect(drawLane(plan, [outcomeOf('Server')])).toBe('');
});
