/** The answers of sources on the day of a run. */
import type { Day } from '../core/day.ts';
import type { SelectedAnswer, SelectedRelease } from '../sources/answer.ts';

/** The answer of a source, reduced to the releases that the definition allows. */
export interface Answer extends SelectedAnswer {
  /** The id of the source. */
  source: string;
  /** Where the owner of the index writes the list. Absent for all other lists. */
  ownList?: 'static' | 'file' | undefined;
  /** The date of the source's last complete answer since its definition last changed. */
  answeredOn?: Day | undefined;
}

/** A release as the answer of a source describes it. */
export interface AnsweredRelease {
  release: SelectedRelease;
  answer: Answer;
}
