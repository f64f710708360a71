import type { Day } from '../../core/model/dates.ts';
import { pick } from '../../core/model/objects.ts';
import { removeAddress } from '../../core/schemas/definition/source-ids.ts';
import { notice, type Finding } from '../../core/schemas/finding.ts';
import { endSentence } from '../../core/text/wording.ts';
import { definitionFile } from '../../io/files/root.ts';
import { continueWait, type WaitingChange } from '../gate/rules/waiting-change.ts';
import type { Answered, SourceOutcome } from './ask-source.ts';
import type { GatherInput } from './ask-sources.ts';
import { checkDays } from './check-days.ts';
import type { CheckedAnswer } from './merge-values.ts';
import { leaveOutMovingTags } from './moving-tags.ts';
import { findShortList } from './short-list.ts';
import type { Failed } from './source-failure.ts';
import type { SourceState } from './update-freshness.ts';

/** What a source contributes after its answer was checked. */
interface CheckedSource {
  state: SourceState;
  findings: readonly Finding[];
  /** Undefined where there is none, and for a source of release lines. A short list is a failure with an answer. */
  answer?: CheckedAnswer;
  /** The stated days of new versions that were rejected. */
  rejectedDays?: ReadonlyMap<string, Day>;
  /** The short list of the source, where it waits for a person. */
  waitingList?: WaitingChange;
  /** The id of the decision that accepted its short list. */
  decision?: string | undefined;
}

/** Checks the answer of a source against recorded data, or explains why there is none. */
export function checkSource(input: GatherInput, outcome: SourceOutcome, day: Day): CheckedSource {
  if (outcome.kind === 'failed') {
    return createFailure(input, outcome);
  }

  const checkedList = checkList(input, outcome, day);
  if (outcome.lines) {
    // The names of lines are no tags, and lines have no release days.
    return checkedList;
  }

  const { releases, notes } = leaveOutMovingTags(outcome, input.releases);
  const { rejectedDays, ...checked } = checkDays({ ...outcome, releases }, input);
  return {
    ...checkedList,
    answer: {
      ...pick(outcome, ['id', 'ranks', 'isPartial', 'statesDeprecation']),
      releases: checked.releases,
      isWaiting: checkedList.waitingList !== undefined,
      isAccepted: checkedList.decision !== undefined,
    },
    rejectedDays,
    findings: [
      ...checkedList.findings,
      ...notes.map((note) => notice(input.component, note)),
      ...checked.findings,
    ],
  };
}

/** The state and the message of a source that failed, or whose list waits for a person. */
function createFailure(
  { component }: GatherInput,
  { id, reason, cause, stack }: Omit<Failed, 'kind'>,
  pending?: readonly string[],
): CheckedSource {
  const finding: Finding = {
    level: stack === undefined ? 'warning' : 'error',
    subject: `${component} (${removeAddress(id)})`,
    message: `${endSentence(reason)} Recorded data stays.`,
    file: definitionFile(component),
    cause,
    stack,
  };
  const at = new Date().toISOString();
  return { state: { id, kind: 'failed', reason, cause, pending, at }, findings: [finding] };
}

/** A list that lacks too much is a failure until a person accepts it. The releases that it lists are still recorded. */
function checkList(input: GatherInput, outcome: Answered, day: Day): CheckedSource {
  const { id, fingerprint, pending } = outcome;
  const { accepted = new Set(), waits = [] } = input;
  const nameCount = countNames(outcome);
  const shortList = findShortList(input, outcome, nameCount, day);
  const verdict = shortList && continueWait(shortList, waits, accepted);
  const waitingList = verdict?.wait;
  if (waitingList) {
    const { reason } = waitingList;
    return { ...createFailure(input, { id, reason }, pending), waitingList };
  }

  const state = { id, kind: 'answered', fingerprint, names: nameCount, pending } as const;
  return { state, findings: [], decision: verdict?.used[0] };
}

/** The number of names to record, of a source of lines or of one whose answers are partial. Of other sources, releases are recorded. */
function countNames({ isPartial, lines, advisories, ranks }: Answered): number | undefined {
  if (lines) {
    return lines.length;
  }
  if (!isPartial) {
    return undefined;
  }

  // A catalogue grows every week, and recorded freshness changes only with news: two digits are enough.
  return advisories ? Number(advisories.byId.size.toPrecision(2)) : ranks.size;
}
