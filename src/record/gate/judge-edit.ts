import { isDeepStrictEqual } from 'node:util';
import { addDays, findLatestDay, type Day } from '../../core/model/dates.ts';
import type { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import { foldJournal, type DraftEvent, type JournalState } from '../../decide/fold-journal.ts';
import { judgeRecorded, type Judged } from '../../decide/judge.ts';
import { describeChange } from '../journal/events/describe-change.ts';
import type { RecordedEdit } from '../journal/record-journal.ts';
import type { FullDefinition } from '../read-definition.ts';
import { judgeChange, type ComponentChange } from './gate.ts';
import type { GoodCommits } from './last-good-files.ts';
import type { WaitingChange } from './rules/decision-id.ts';
import { limits } from './rules/losses.ts';
import { applyEvents } from './rules/reader-state.ts';

/** The files that people edit of a component. */
export interface EditedFiles {
  definition: FullDefinition;
  /** The fields of the definition that the defaults state. */
  inherited: readonly string[];
  data: RecordedData;
}

/** A component before and after the edits of people. */
export interface ComponentEdit extends Pick<
  ComponentChange,
  'name' | 'day' | 'journal' | 'accepted' | 'acceptedOn' | 'causes'
> {
  /** Undefined where the files were unusable. */
  before: EditedFiles | undefined;
  /** Undefined where the component was removed. */
  after: EditedFiles | undefined;
  /** The changes of all components that waited after the last run. */
  waits: readonly WaitingChange[];
  /** The commits of the files before. */
  commits: GoodCommits;
}

/** The result of judging the edit of one component: it waits, or it is taken. Empty before the first run. */
export interface JudgedEdit {
  waiting?: WaitingChange;
  /** The decisions that let it through. */
  used?: readonly string[];
  edit?: RecordedEdit;
}

/**
 * Judges the edit of one component, as of the last day ahead on which its definition deprecates releases. The events that the old
 * files would cause until then are applied first, so only the consequences of the edit are judged. Before its first run, a
 * component has no readers, so no edit of it waits.
 */
export function judgeEdit(edit: ComponentEdit): JudgedEdit {
  const { name, day, journal, causes, before, after, commits } = edit;
  if (journal.length === 0) {
    return {};
  }

  const state = foldJournal(journal);
  const dayAhead = findDayAhead(after?.definition, day);
  const judgedBefore = judgeFiles(before, name, dayAhead);
  const waits = edit.waits.filter(({ commit }) => commit !== undefined);
  const verdict = judgeChange({
    ...edit,
    day: dayAhead,
    oldState: judgedBefore
      ? applyEvents(state, describeChange(state, judgedBefore, dayAhead))
      : state,
    before: judgedBefore,
    after: judgeFiles(after, name, dayAhead),
    edited: before && after && { before: before.data, after: after.data },
    expected: new Set(),
    waits,
    waitingSince: waits.find(({ component }) => component === name)?.since,
  });

  const { waiting } = verdict;
  if (waiting) {
    // A new wait has the day ahead; for people, it begins today.
    const since = waiting.since < day ? waiting.since : day;
    const hold = { ...waiting, since, commit: commits.definition };
    const isDataEdited = !isDeepStrictEqual(before?.data, after?.data);
    return { waiting: isDataEdited ? { ...hold, dataCommit: commits.data } : hold };
  }

  const [cause = ''] = causes;
  return { used: verdict.used, edit: { cause, events: listCausedEvents(edit, state) } };
}

/** The events of the day that the component would not have without the edit. */
function listCausedEvents(
  { name, day, before, after }: ComponentEdit,
  state: JournalState,
): DraftEvent[] {
  const listEvents = (files: EditedFiles | undefined) =>
    describeChange(state, judgeFiles(files, name, day), day);
  const unedited = new Set(listEvents(before).map((event) => JSON.stringify(event)));
  return listEvents(after).filter((event) => !unedited.has(JSON.stringify(event)));
}

/**
 * The last day, at most 90 days ahead, on which the definition deprecates releases, else the day itself. On that day no edit is
 * left that could wait, so the loss is judged now.
 */
function findDayAhead(definition: FullDefinition | undefined, day: Day): Day {
  const { deprecated = [], support } = definition ?? {};
  const ended = support?.policy === 'ended' ? support.deprecatedFrom : undefined;
  const days = [...deprecated.map(({ since }) => since ?? day), ended ?? day];
  return findLatestDay(day, ...days.filter((on) => on <= addDays(day, limits.days)));
}

function judgeFiles(files: EditedFiles | undefined, name: string, day: Day): Judged | undefined {
  return files && judgeRecorded(name, files.definition, files.data, day);
}
