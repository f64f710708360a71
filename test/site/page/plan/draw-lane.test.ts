import { expect, test } from 'vitest';
import type { Outcome } from '../../../../src/ask/plan/plan-outcome.ts';
import { drawLane } from '../../../../src/site/page/plan/draw-lane.ts';

const plan = { asOf: '2026-11-20' } as never;

/** A version that is to be moved by a day, or whose support ends on a day. */
function outcomeOf(title: string, { by, until }: { by?: string; until?: string }): Outcome {
  const lines = [{ line: '1.0', supportedUntil: until }];
  const details = { title, lines, releases: [{ version: '1.0', line: '1.0' }] };
  const answer = { state: 'supported', version: '1.0' };
  const step = by === undefined ? undefined : { by };
  const position = { details, version: '1.0' };
  return { input: { answer, details }, step, start: position, end: position } as never;
}

function readLane(outcomes: readonly Outcome[]) {
  const { markup } = drawLane(plan, outcomes) as { markup: string };
  return {
    places: Array.from(markup.matchAll(/ cx="(.*?)"/g), ([, place]) => place),
    days: Array.from(markup.matchAll(/datetime="(.*?)"/g), ([, day]) => day),
  };
}

test('a plan whose only step is due today has both marks in one place', () => {
  expect(readLane([outcomeOf('Server', { by: '2026-11-20' })])).toEqual({
    places: ['0.00%', '0.00%'],
    days: ['2026-11-20', '2026-11-20'],
  });
});

test('the marks of a plan are in the order of their days, the last at the end', () => {
  const due = outcomeOf('Server', { by: '2026-11-30' });
  const ending = outcomeOf('Agent', { until: '2026-11-25' });

  expect(readLane([due, ending])).toEqual({
    places: ['0.00%', '50.00%', '100.00%'],
    days: ['2026-11-20', '2026-11-25', '2026-11-30'],
  });
});

test('the last end names only the versions whose support ended on its day', () => {
  const ended = [
    ['A', '2020-01-01'],
    ['B', '2026-10-01'],
    ['C', undefined],
  ].map(([title, supportedUntil]) => {
    const outcome = outcomeOf(title!, {});
    return {
      ...outcome,
      input: { ...outcome.input, answer: { state: 'ended', version: '1.0', supportedUntil } },
    };
  });
  const { markup } = drawLane(plan, ended as never) as { markup: string };

  expect(markup).toContain('<span>B 1.0 ended</span>');
});
