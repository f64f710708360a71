import type { Day } from '../../../../src/core/model/dates.ts';
import { foldJournal, type DraftEvent } from '../../../../src/decide/fold-journal.ts';
import { applyEvents, type Step } from '../../../../src/record/gate/rules/reader-state.ts';

export const day: Day = '2026-06-01';

/** Events as a person writes them down: a type, what it is about, and more. */
export type Told = readonly [DraftEvent['type'], Partial<DraftEvent>];

export const describe = (told: readonly Told[]): DraftEvent[] =>
  told.map(([type, about]) => ({ type, on: day, ...about }));
export const released = (version: string, about: Partial<DraftEvent> = {}): Told => [
  'released',
  { version, line: version.split('.').slice(0, 2).join('.'), on: '2020-01-01', ...about },
];
export const ends = (line: string, to: Day | undefined, about: Partial<DraftEvent> = {}): Told => [
  'support-announced',
  { line, phase: 'support', to, ...about },
];
export const ended = (line: string): Told => ['support-ended', { line, phase: 'support' }];

/** A step of readers who were told one list of events before another. */
export function takeStep(
  before: readonly Told[],
  after: readonly Told[] = [],
  policy?: Step['policy'],
): Step {
  const oldState = applyEvents(foldJournal([]), describe(before));
  return { oldState, newState: applyEvents(oldState, describe(after)), day, policy };
}
