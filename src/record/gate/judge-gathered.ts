import type { Day } from '../../core/model/dates.ts';
import { dropUndefined, pickDefined } from '../../core/model/objects.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedData, RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { judgeRecorded, type Judged } from '../../decide/judge.ts';
import { foldJournal, type JournalState } from '../../decide/fold-journal.ts';
import type { GatherResult } from '../gather/unite-answers.ts';
import { describeChange, numberEvents } from '../journal/events/describe-change.ts';
import { judgeChange, type ComponentChange, type Verdict } from './gate.ts';
import { findAddedReleases, findChangedSources } from './rules/changed-data.ts';
import { continueWait, isAlike, isOfSources, type WaitingChange } from './rules/waiting-change.ts';
import { applyEvents, listUsable } from './rules/reader-state.ts';
import { findSuspicions, type DataChange } from './rules/suspicions.ts';

/** A component as recorded before this run, with the decisions of people. */
export interface ComponentBefore extends Pick<
  ComponentChange,
  'name' | 'day' | 'journal' | 'accepted' | 'acceptedOn'
> {
  definition: Definition;
  data: RecordedData;
  freshness: Freshness;
  /** All its changes that waited after the last run. */
  waits: readonly WaitingChange[];
}

/** The answers of a component's sources, compared with the state that readers know. */
interface GatheredChange extends DataChange, Pick<ComponentBefore, 'journal' | 'accepted'> {
  /** The changes that waited after the last run because of sources. */
  waits: readonly WaitingChange[];
  /** The first day on which the component waited because of its sources, if it does. */
  waitingSince: Day | undefined;
  /** The state that readers know, with the accepted edits. */
  oldState: JournalState;
  judgedBefore: Judged;
  expectedLosses: ReadonlySet<string>;
  /** The sources whose answer cannot be used in this run: it is missing, or a short list. */
  unusableSources: ReadonlySet<string>;
}

interface GatheredVerdict {
  /** The data to record. */
  data: RecordedData;
  /** The changes that wait after this run. */
  waiting: readonly WaitingChange[];
  /** The decisions that let changes through. */
  used: readonly string[];
}

/** Judges what the sources of a component state: first unusual versions, which wait by themselves, then the component with the rest. */
export function judgeGathered(component: ComponentBefore, result: GatherResult): GatheredVerdict {
  const change = createChange(component, result);
  const { before, after, journal } = change;
  if (journal.length === 0) {
    // Without readers, nothing can be lost.
    const waiting = addUnanswered(change, result.shortLists);
    return { data: after, waiting, used: result.decisions };
  }

  const versions = judgeVersions(change);
  const waiting = addUnanswered(change, [...versions.waiting, ...result.shortLists]);
  const newData = omitWaitingVersions(waiting, before, after);
  const rest = judgeRest(change, newData);
  return {
    data: rest.data,
    waiting: [...rest.waiting, ...waiting],
    used: [...versions.used, ...rest.used, ...result.decisions],
  };
}

/** The waits of lists and versions in this run, and open ones of the last run of which a source has no usable answer now. */
function addUnanswered(change: GatheredChange, waiting: readonly WaitingChange[]): WaitingChange[] {
  const earlier = change.waits.filter(
    (wait) =>
      wait.kind !== 'change' &&
      !change.accepted.has(wait.id) &&
      hasUnusableSource(wait, change) &&
      !waiting.some((newWait) => isAlike(wait, newWait)),
  );
  return [...waiting, ...earlier];
}

function hasUnusableSource({ causes }: WaitingChange, { unusableSources }: GatheredChange) {
  return causes.some((source) => unusableSources.has(source));
}

function createChange(component: ComponentBefore, result: GatherResult): GatheredChange {
  const { name, day, definition, data, freshness, journal } = component;
  const state = foldJournal(journal);
  const waits = component.waits.filter(isOfSources);
  const judgedBefore = judgeRecorded(name, definition, data, day);

  return {
    ...component,
    oldState: applyEvents(state, describeChange(state, judgedBefore, day)),
    judgedBefore,
    before: data,
    after: pickDefined(result, ['releases', 'advisories', 'lines']),
    expectedLosses: new Set(result.expectedLosses),
    freshness: { before: freshness, after: result.freshness },
    rejectedDays: result.rejectedDays,
    unusableSources: new Set(
      result.sources.filter(({ kind }) => kind !== 'answered').map(({ id }) => id),
    ),
    waits,
    waitingSince: waits.find(({ kind }) => kind === 'change')?.since,
  };
}

/**
 * Judges the component without the versions that wait. It waits if readers would lose too much by the new data, and goes on waiting
 * while the source of an earlier wait has no usable answer, unless a person has accepted that change.
 */
function judgeRest(change: GatheredChange, newData: RecordedData): GatheredVerdict {
  const earlierWait = change.waits.find(({ kind }) => kind === 'change');
  const lacksAnswer = earlierWait !== undefined && hasUnusableSource(earlierWait, change);
  const openWait = earlierWait && change.accepted.has(earlierWait.id) ? undefined : earlierWait;

  const { wait: newWait, used } = judgeData(change, newData);
  if (!newWait && !(openWait && lacksAnswer)) {
    // A decision is used once the source has a usable answer.
    return { data: newData, waiting: [], used: lacksAnswer ? [] : used };
  }

  const part = findPassingPart(change, newData);
  const data = part?.data ?? change.before;
  const usedByPart = part?.verdict.used ?? [];
  // A remainder that is no loss by itself is recorded by the next run. An open wait goes on until then, as that run judges by its day.
  const rest = newWait && part ? judgeRemainder(change, part, newData) : newWait;
  const wait = rest ?? openWait;
  if (!wait) {
    return { data, waiting: [], used: usedByPart };
  }

  // New releases that are not in the part wait with the component.
  const versions = findAddedReleases(data, newData).map(({ version }) => version);
  const waiting = versions.length > 0 ? [{ ...wait, versions }] : [wait];
  return { data, waiting, used: usedByPart };
}

/** Judges what new data changes for readers, with the definition that was accepted. */
function judgeData(change: GatheredChange, data: RecordedData): Verdict {
  const { name, day, before, judgedBefore, definition } = change;
  return judgeChange({
    ...change,
    before: judgedBefore,
    after: judgeRecorded(name, definition, data, day),
    causes: findChangedSources(before, data, `data/${name}.json`),
  });
}

/** Unusual versions wait until a person accepts them. */
function judgeVersions(change: GatheredChange): Pick<GatheredVerdict, 'waiting' | 'used'> {
  const waiting: WaitingChange[] = [];
  const used: string[] = [];

  for (const suspicion of findSuspicions(change)) {
    const verdict = continueWait(suspicion, change.waits, change.accepted);
    used.push(...verdict.used);
    if (verdict.wait) {
      waiting.push(verdict.wait);
    }
  }

  return { waiting, used };
}

/** The data after a run without new versions that wait. Recorded versions that wait keep their digests. */
function omitWaitingVersions(
  waiting: readonly WaitingChange[],
  before: RecordedData,
  after: RecordedData,
): RecordedData {
  const waitingVersions = new Set(waiting.flatMap(({ versions = [] }) => versions));
  const recorded = new Map(before.releases.map((release) => [release.version, release]));
  const releases: RecordedRelease[] = [];
  for (const release of after.releases) {
    const former = recorded.get(release.version);
    if (!waitingVersions.has(release.version)) {
      releases.push(release);
    } else if (former) {
      const { digests, republished } = former;
      releases.push(dropUndefined({ ...release, digests, republished }));
    }
  }

  return { ...after, releases };
}

/** The part of a change that is recorded while the remainder waits, and its verdict. */
interface PassingPart {
  data: RecordedData;
  verdict: Verdict;
}

/**
 * The recorded data with the new releases. The greatest release is as upstream pulled it or, if readers would lose too much
 * by that, as recorded. Undefined if they would lose too much by both.
 */
function findPassingPart(change: GatheredChange, newData: RecordedData): PassingPart | undefined {
  const { before, oldState } = change;
  const added = findAddedReleases(before, newData);
  const greatest = listUsable(oldState).at(-1)?.text;
  const pulled = newData.releases.find(
    ({ version, withdrawnSince, deprecated }) =>
      version === greatest && (withdrawnSince ?? deprecated) !== undefined,
  );
  const recorded = before.releases;
  const candidates = [recorded];
  if (pulled) {
    candidates.unshift(recorded.map((each) => (each.version === pulled.version ? pulled : each)));
  }

  for (const releases of candidates) {
    const data = { ...before, releases: [...releases, ...added] };
    const verdict = judgeData(change, data);
    if (!verdict.wait) {
      return { data, verdict };
    }
  }

  return undefined;
}

/** Judges the changes that are not in the passing part as the next run will: the wait has the id that the next run computes. */
function judgeRemainder(
  change: GatheredChange,
  { data, verdict }: PassingPart,
  newData: RecordedData,
): WaitingChange | undefined {
  const { name, day, definition, journal, waitingSince = day } = change;
  const judgedBefore = judgeRecorded(name, definition, data, day);
  const events = numberEvents(journal, verdict.events, `${day}T00:00:00.000Z`, judgedBefore);

  const remainder = {
    ...change,
    before: data,
    judgedBefore,
    oldState: verdict.newState,
    journal: [...journal, ...events],
    waitingSince,
  };
  return judgeData(remainder, newData).wait;
}
