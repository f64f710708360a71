import { isDeepStrictEqual } from 'node:util';
import { addDays, findLatestDay, type Day } from '../../core/model/dates.ts';
import type { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import { judgeRecorded, type Judged } from '../../decide/judge.ts';
import { describeChange } from '../journal/events/describe-change.ts';
import type { RecordedEdit } from '../journal/record-journal.ts';
import type { FullDefinition } from '../read-definition.ts';
import { judgeChange, type ComponentChange } from './gate.ts';
import type { GoodCommits } from './last-good-files.ts';
import { limits } from './rules/losses.ts';
import { applyEvents } from './rules/reader-state.ts';
import { isOfSources, type WaitingChange, type WaitOrDecision } from './rules/waiting-change.ts';

/** The files that people edit of a component. */
export interface EditedFiles {
  definition: FullDefinition;
  /** The fields of the definition that the defaults state. */
  inherited: readonly string[];
  data: RecordedData;
}

/** Whether the recorded data differs, or only one of both is there. */
export function isDataEdited(
  before: EditedFiles | undefined,
  after: EditedFiles | undefined,
): boolean {
  return !isDeepStrictEqual(before?.data, after?.data);
}

/** A component before and after the edits of people. */
export interface ComponentEdit extends Pick<
  ComponentChange,
  'name' | 'day' | 'journal' | 'accepted' | 'acceptedOn' | 'causes'
> {
  /** Undefined if files of the component are missing or cannot be used. So is `after`. */
  before: EditedFiles | undefined;
  after: EditedFiles | undefined;
  /** The changes of all components that waited after the last run. */
  waits: readonly WaitingChange[];
  /** The last good commits. `before` has the files of these. */
  commits: GoodCommits;
  /** Restores the recorded data, if a person removed its file. */
  restoreCommand?: string | undefined;
}

/** The wait of an edited or damaged component, else its accepted edit. Empty without either, and before the first run. */
export interface EditVerdict extends Partial<WaitOrDecision> {
  edit?: RecordedEdit;
}

/**
 * Judges what an edit of a component causes, apart from what the old files would cause anyway: those events are applied first. Looks
 * ahead to the last day on which the definition deprecates releases. Before its first run, a component has no readers.
 */
export function judgeComponentEdit(edit: ComponentEdit): EditVerdict {
  const { name, day, journal, causes, before, after, commits, restoreCommand } = edit;
  if (journal.length === 0) {
    return {};
  }

  const state = foldJournal(journal);
  const dayAhead = findDayAhead(after?.definition, day);
  const judgedBefore = judgeOn(before, name, dayAhead);
  const waits = edit.waits.filter((wait) => !isOfSources(wait));
  const verdict = judgeChange({
    name,
    day: dayAhead,
    journal,
    oldState: judgedBefore
      ? applyEvents(state, describeChange(state, judgedBefore, dayAhead))
      : state,
    before: judgedBefore,
    after: judgeOn(after, name, dayAhead),
    edited: before && after && { before: before.data, after: after.data, restoreCommand },
    expectedLosses: new Set(),
    accepted: edit.accepted,
    acceptedOn: edit.acceptedOn,
    causes,
    waits,
    waitingSince: waits.find(({ component }) => component === name)?.since,
  });

  const { wait } = verdict;
  if (wait) {
    // A new wait has the day ahead; for people, it begins today.
    const since = wait.since < day ? wait.since : day;
    const hold = { ...wait, since, commit: commits.definition };
    return { wait: isDataEdited(before, after) ? { ...hold, dataCommit: commits.data } : hold };
  }

  // Readers see only the first of several causes.
  return { used: verdict.used, edit: { cause: causes[0]!, events: verdict.events } };
}

/**
 * The last day, at most `limits.days` ahead, on which the definition deprecates releases, else the day itself. A deprecation needs no
 * edit on its own day, so it is judged when it is announced.
 */
function findDayAhead(definition: FullDefinition | undefined, day: Day): Day {
  const { deprecated = [], support } = definition ?? {};
  const ended = support?.policy === 'ended' ? support.deprecatedFrom : undefined;
  const days = [...deprecated.map(({ since }) => since ?? day), ended ?? day];
  return findLatestDay(day, ...days.filter((on) => on <= addDays(day, limits.days)));
}

function judgeOn(files: EditedFiles | undefined, name: string, day: Day): Judged | undefined {
  return files && judgeRecorded(name, files.definition, files.data, day);
}
