import type { Day } from '../../core/model/dates.ts';
import { pick } from '../../core/model/objects.ts';
import { rankKey, type Version } from '../../core/model/version.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import { removeAddress } from '../../core/schemas/definition/source-ids.ts';
import { notice, type Finding } from '../../core/schemas/finding.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { Wait } from '../../core/schemas/recorded/runs.ts';
import type {
  RecordedAdvisory,
  RecordedLine,
  RecordedRelease,
} from '../../core/schemas/recorded/recorded.ts';
import { endSentence } from '../../core/text/wording.ts';
import {
  continueWait,
  createDecisionId,
  type WaitingChange,
} from '../gate/rules/waiting-change.ts';
import type { Answered, SourceOutcome } from './ask-source.ts';
import { checkDays } from './check-days.ts';
import type { CheckedAnswer } from './merge-values.ts';
import { listSourceVersions } from './recorded-versions.ts';
import { leaveOutMovingTags } from './moving-tags.ts';
import type { SourceState } from './update-freshness.ts';

/** A component as recorded before the run. */
export interface GatherInput {
  component: string;
  definition: Definition;
  releases: readonly RecordedRelease[];
  lines?: readonly RecordedLine[] | undefined;
  advisories?: readonly RecordedAdvisory[] | undefined;
  freshness: Freshness;
  /** The changes that waited after the last run. */
  waits?: readonly Wait[];
  /** The ids of decisions of people. */
  accepted?: ReadonlySet<string>;
}

/** What a source contributes after its answer was checked. */
export interface CheckedSource {
  state: SourceState;
  findings: readonly Finding[];
  /** Undefined where the source failed, and for a source of release lines. */
  answer?: CheckedAnswer;
  /** The stated days of new versions that were rejected. */
  rejectedDays?: ReadonlyMap<string, Day>;
  /** The short list of the source, where it waits for a person. */
  waitingList?: WaitingChange;
  /** The id of the decision that accepted its short list. */
  decision?: string | undefined;
}

/** Checks the answer of a source against recorded data, or explains why there is none. */
export function checkSource(
  input: GatherInput,
  outcome: Exclude<SourceOutcome, { kind: 'aborted' }>,
  day: Day,
): CheckedSource {
  if (outcome.kind === 'failed') {
    return describeFailure(input, outcome);
  }

  const list = checkList(input, outcome, day);
  if (outcome.lines) {
    return list;
  }

  const { component, releases: recorded, waits = [] } = input;
  const { releases, note } = leaveOutMovingTags(outcome, recorded);
  const { rejectedDays, ...checked } = checkDays(
    { ...outcome, releases },
    {
      component,
      recorded,
      freshness: input.freshness.sources[outcome.id],
      waiting: listWaitingVersions(waits, component),
    },
  );
  const notes = note === undefined ? [] : [notice(component, note)];
  return {
    ...list,
    answer: {
      ...pick(outcome, ['id', 'ranks', 'isPartial', 'statesDeprecation']),
      releases: checked.releases,
      shortList: judgeShortList(list, outcome),
    },
    rejectedDays,
    findings: [...list.findings, ...notes, ...checked.findings],
  };
}

type Failure = Omit<Extract<SourceOutcome, { kind: 'failed' }>, 'kind'> & {
  pending?: readonly string[];
};

/** A source that failed, or whose list waits for a person. */
function describeFailure(
  { component }: GatherInput,
  { id, reason, cause, stack, pending }: Failure,
): CheckedSource {
  const finding: Finding = {
    level: stack === undefined ? 'warning' : 'error',
    subject: `${component} (${removeAddress(id)})`,
    message: `${endSentence(reason)} Recorded data stays.`,
    file: `components/${component}.json`,
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
  const shortList = findShortList(input, outcome, day);
  const wait = shortList && continueWait(shortList, waits, accepted);
  if (wait && wait.decision === undefined) {
    const { waiting: waitingList } = wait;
    const { reason } = waitingList;
    return { ...describeFailure(input, { id, reason, pending }), waitingList };
  }

  const names = countNames(outcome);
  const state = { id, kind: 'answered', fingerprint, names, pending } as const;
  return { state, findings: [], decision: wait?.decision };
}

function judgeShortList(
  { waitingList, decision }: CheckedSource,
  { isPartial }: Answered,
): CheckedAnswer['shortList'] {
  if (waitingList) {
    return 'waiting';
  }

  return decision === undefined || isPartial ? undefined : 'accepted';
}

/** Shorter lists are not compared: each new release may replace the one before. */
const shortestList = 3;

/**
 * Finds an answer that lists nothing, or less than half of the last list. Missing versions stay until a person accepts the
 * shorter list. New versions do not change the decision.
 */
function findShortList(input: GatherInput, answer: Answered, day: Day): WaitingChange | undefined {
  const { component, freshness } = input;
  const { id: source, fingerprint, listsSome = false } = answer;
  const { definition = fingerprint } = freshness.sources[source] ?? {};
  const { lastCount, count, isEmpty, missing } = compareLists(input, answer);

  const isComparable = definition === fingerprint && !listsSome && lastCount >= shortestList;
  const isHalved = isComparable && count * 2 < lastCount;
  if (lastCount === 0 || !(isEmpty || isHalved)) {
    return undefined;
  }

  const loss = missing?.toSorted() ?? lastCount;
  const reason = `${source} lists ${count === 0 ? 'none' : count} of the ${lastCount} that it listed last`;
  return {
    id: createDecisionId(component, ['short list', source, loss]),
    component,
    kind: 'list',
    since: day,
    causes: [source],
    reason,
    items: missing ?? [reason],
  };
}

/** A list, compared with the last one of the same source. */
interface Comparison {
  /** The number of names in the last list. */
  lastCount: number;
  /** The number of names that are still listed. */
  count: number;
  isEmpty: boolean;
  /** The recorded versions that are missing, oldest first; undefined where only the number of names is recorded. */
  missing?: string[];
}

function compareLists(
  { releases: recorded, freshness }: GatherInput,
  answer: Answered,
): Comparison {
  const { id, ranks } = answer;
  const { answeredOn, names: lastNames } = freshness.sources[id] ?? {};

  // Releases that came while the list was short are no part of the measure.
  const measure = recorded.filter(
    ({ firstSeen = '' }) => answeredOn === undefined || firstSeen <= answeredOn,
  );
  const lastVersions = listSourceVersions(measure, id);
  const names = countNames(answer);
  if (names !== undefined) {
    return { lastCount: lastNames ?? lastVersions.length, count: names, isEmpty: names === 0 };
  }

  // A listed version counts even if the definition no longer admits it.
  const isListed = (version: Version) => ranks.has(rankKey(version));
  const missing = listSourceVersions(recorded, id).filter((version) => !isListed(version));
  return {
    lastCount: lastVersions.length,
    count: lastVersions.filter(isListed).length,
    isEmpty: ranks.size === 0,
    missing: missing.map(({ text }) => text),
  };
}

/** The number of names of a source of lines, or of one whose answers are partial. Of other sources, the versions are compared. */
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

/** The versions of a component that wait, with the day since which each waits. */
function listWaitingVersions(waits: readonly Wait[], component: string): Map<string, Day> {
  const days = new Map<string, Day>();
  for (const { versions = [], since } of waits.filter((wait) => wait.component === component)) {
    for (const version of versions) {
      days.set(version, since);
    }
  }
  return days;
}
