/** What sources state today. */
import type { Day } from '../core/day.ts';
import type { SelectedAnswer, SelectedRelease } from '../sources/answer.ts';

/** The answer of a source. */
export interface Answer extends SelectedAnswer {
  /** The id of the source. */
  source: string;
  /** The day of its last sound answer with the same definition. */
  answeredOn?: Day | undefined;
}

/** What a source states of a release. */
export interface Statement {
  release: SelectedRelease;
  answer: Answer;
}
