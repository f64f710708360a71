import { dropUndefined, pickDefined } from '../../core/model/objects.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedData, RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { judgeRecorded, type Judged } from '../../decide/judge.ts';
import { foldJournal, type JournalState } from '../../decide/fold-journal.ts';
import { recordedFile } from '../../io/files/root.ts';
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
  /** The wait among them that holds back the whole component. */
  earlierWait: WaitingChange | undefined;
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
    earlierWait: waits.find(({ kind }) => kind === 'change'),
  };
}

/** Judges the component without the versions that wait. It waits if readers would lose too much by the new data. */
function judgeRest(change: GatheredChange, newData: RecordedData): GatheredVerdict {
  const { earlierWait } = change;
  if (earlierWait && hasUnusableSource(earlierWait, change)) {
    return judgeUnanswered(change, newData, earlierWait);
  }

  const { wait, used } = judgeData(change, newData);
  return wait ? holdChange(change, newData, wait) : { data: newData, waiting: [], used };
}

/**
 * Judges the component while a source of its earlier wait has no usable answer. The decision on that wait lets all its losses through
 * at once, so it is not used yet. Once it is made, only losses wait. The next run needs the wait to find the decision.
 */
function judgeUnanswered(
  change: GatheredChange,
  newData: RecordedData,
  earlierWait: WaitingChange,
): GatheredVerdict {
  const { id, causes, reason } = earlierWait;
  const accepted = change.accepted.difference(new Set([id]));
  const undecided = { ...change, accepted };
  const { wait, used } = judgeData(undecided, newData);
  if (!wait && change.accepted.has(id)) {
    return { data: newData, waiting: [earlierWait], used };
  }

  const verdict = holdChange(undecided, newData, wait ?? earlierWait);
  // The answering sources may state only some of the losses that wait. The wait still needs an answer of each of its sources.
  const waiting = verdict.waiting.map((each) =>
    each.id === id ? { ...each, causes, reason } : each,
  );
  return { ...verdict, waiting };
}

/** The verdict where the component waits: the part of the change that takes nothing from readers is recorded. */
function holdChange(
  change: GatheredChange,
  newData: RecordedData,
  wholeWait: WaitingChange,
): GatheredVerdict {
  const part = findPassingPart(change, newData);
  const { data, used } = part ?? { data: change.before, used: [] };
  const wait = part ? findRemainingWait(change, part, newData, wholeWait) : wholeWait;
  if (!wait) {
    return { data, waiting: [], used };
  }

  // New releases that are not in the part wait with the component.
  const versions = findAddedReleases(data, newData).map(({ version }) => version);
  const waiting = versions.length > 0 ? [{ ...wait, versions }] : [wait];
  return { data, waiting, used };
}

/** Judges what new data changes for readers, with the definition that was accepted. */
function judgeData(change: GatheredChange, data: RecordedData): Verdict {
  const { name, day, before, judgedBefore, definition, earlierWait } = change;
  return judgeChange({
    ...change,
    waitingSince: earlierWait?.since,
    before: judgedBefore,
    after: judgeRecorded(name, definition, data, day),
    causes: findChangedSources(before, data, recordedFile(name)),
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

/** The part of a change that is recorded while the remainder waits. */
interface PassingPart extends Verdict {
  data: RecordedData;
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
      return { ...verdict, data };
    }
  }

  return undefined;
}

/**
 * Finds the wait for the changes that do not pass. It judges them as the next run will, so the wait has the id that the next run
 * computes. Changes that take nothing from readers by themselves are recorded by the next run. Until then, an earlier wait goes on,
 * because the next run counts from its first day.
 */
function findRemainingWait(
  change: GatheredChange,
  { data, events: drafts, newState, used }: PassingPart,
  newData: RecordedData,
  wholeWait: WaitingChange,
): WaitingChange | undefined {
  const { name, day, definition, journal, earlierWait } = change;
  const judgedBefore = judgeRecorded(name, definition, data, day);
  const events = numberEvents(journal, drafts, `${day}T00:00:00.000Z`, judgedBefore);
  const remainder = {
    ...change,
    before: data,
    judgedBefore,
    oldState: newState,
    journal: [...journal, ...events],
    earlierWait: wholeWait,
  };

  const isDecided = earlierWait && used.includes(earlierWait.id);
  return judgeData(remainder, newData).wait ?? (isDecided ? undefined : earlierWait);
}
