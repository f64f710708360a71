import { isDeepStrictEqual } from 'node:util';
import { dropUndefined, pickDefined } from '../../core/model/objects.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedData, RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { judgeRecorded } from '../../decide/judge.ts';
import { foldJournal, type JournalState } from '../../decide/fold-journal.ts';
import type { GatherResult } from '../gather/gather-component.ts';
import { toRecordedForm } from '../gather/recorded-release.ts';
import { describeChange, numberEvents } from '../journal/events/describe-change.ts';
import { judgeChange, type ComponentChange, type Verdict } from './gate.ts';
import { findAddedReleases, findChangedSources } from './rules/changed-data.ts';
import { continueWait, isAlike, type WaitingChange } from './rules/decision-id.ts';
import { applyEvents, listUsable } from './rules/reader-state.ts';
import { findSuspicions, type DataChange } from './rules/suspicions.ts';

/** The answers of a component's sources, compared with the state that readers know. */
interface GatheredChange
  extends DataChange, Pick<RecordedComponent, 'definition' | 'journal' | 'accepted'> {
  waits: readonly WaitingChange[];
  /** The state that readers know, with the accepted edits. */
  oldState: JournalState;
  /** Versions that an accepted list withdrew, and advisories that a source withdrew. */
  expected: ReadonlySet<string>;
  /** The sources without an answer in this run. */
  silentSources: ReadonlySet<string>;
}

interface GatheredVerdict {
  /** The data to record. */
  data: RecordedData;
  waiting: readonly WaitingChange[];
  used: readonly string[];
}

/** A component as recorded before this run. */
export interface RecordedComponent extends Pick<
  ComponentChange,
  'name' | 'day' | 'journal' | 'accepted' | 'acceptedOn'
> {
  definition: Definition;
  data: RecordedData;
  freshness: Freshness;
  /** Its changes that waited after the last run. */
  waits: readonly WaitingChange[];
}

/** Judges what the sources of a component state. `isNews` says that the data to record differs, whatever the order of releases. */
export function judgeGathered(
  component: RecordedComponent,
  result: GatherResult,
): GatheredVerdict & { isNews: boolean } {
  const change = describeGathered(component, result);
  const { data: newData, waiting, used } = judgeChangedData(change);
  const data = orderReleases(newData);
  const { shortLists, accepted } = result;
  const silentLists = component.waits.filter(
    (wait) =>
      wait.kind === 'list' &&
      isOfSilentSource(wait, change) &&
      !shortLists.some((list) => isAlike(wait, list)),
  );

  return {
    data,
    isNews: !isDeepStrictEqual(orderReleases(component.data), data),
    waiting: [...waiting, ...shortLists, ...silentLists],
    used: [...used, ...accepted.map(({ id }) => id)],
  };
}

function isOfSilentSource({ causes }: WaitingChange, { silentSources }: GatheredChange): boolean {
  return causes.some((source) => silentSources.has(source));
}

/** In the order of recorded files. A file written by hand may have another one. */
function orderReleases(data: RecordedData): RecordedData {
  return { ...data, releases: toRecordedForm(data.releases) };
}

function describeGathered(component: RecordedComponent, result: GatherResult): GatheredChange {
  const { name, day, definition, data, freshness, journal } = component;
  const state = foldJournal(journal);
  const judged = judgeRecorded(name, definition, data, day);
  const dropped = result.accepted.flatMap(({ withdrawn }) => withdrawn);

  return {
    ...component,
    oldState: applyEvents(state, describeChange(state, judged, day)),
    before: { data },
    after: { definition, data: pickDefined(result, ['releases', 'advisories', 'lines']) },
    expected: new Set([...dropped, ...result.withdrawnAdvisories]),
    freshness: { before: freshness, after: result.freshness },
    rejectedDays: result.rejectedDays,
    silentSources: new Set(
      result.sources.filter(({ kind }) => kind !== 'answered').map(({ id }) => id),
    ),
    waits: component.waits.filter(({ commit }) => commit === undefined),
  };
}

/** Unusual versions wait, and all other news is judged as a whole. Before the first run, nothing waits. */
function judgeChangedData(change: GatheredChange): GatheredVerdict {
  const { before, after, journal } = change;
  if (journal.length === 0) {
    return { data: after.data, waiting: [], used: [] };
  }

  const versions = holdVersions(change, findSuspicions(change));
  const newData = removeWaiting(before.data, after.data, versions.waiting);
  const component = judgeNewData(change, newData);
  return {
    data: component.data,
    waiting: [...component.waiting, ...versions.waiting],
    used: [...versions.used, ...component.used],
  };
}

/**
 * If readers would lose too much by the new data, the component waits: its recorded data stays, and new releases still come in.
 * It also waits on while the source of its last change is silent, unless a person has accepted that change.
 */
function judgeNewData(change: GatheredChange, newData: RecordedData): GatheredVerdict {
  const { before, waits, accepted } = change;
  const lastWait = waits.find(({ kind }) => kind === 'change');
  const openWait = lastWait && !accepted.has(lastWait.id) ? lastWait : undefined;
  const isSilent = lastWait !== undefined && isOfSilentSource(lastWait, change);
  const judgedChange = { ...change, waitingSince: lastWait?.since };
  const { waiting: newWait, used } = judgeData(judgedChange, newData);
  if (!newWait && !(isSilent && openWait)) {
    // A decision about a silent source is used once the source answers.
    return { data: newData, waiting: [], used: isSilent ? [] : used };
  }

  // The part that passes is recorded, and the remainder is judged again from there.
  const part = findPassingPart(judgedChange, newData);
  const data = part?.data ?? before.data;
  const remainingWait = newWait && part ? judgeRemainder(judgedChange, part, newData) : newWait;
  const wait = remainingWait ?? openWait;
  if (!wait) {
    // By itself, the remainder is no loss: the next run records it.
    return { data, waiting: [], used: [] };
  }

  const versions = findAddedReleases(data, newData).map(({ version }) => version);
  return { data, waiting: [versions.length > 0 ? { ...wait, versions } : wait], used: [] };
}

/** `waitingSince`: the first day on which the component waited because of its sources, if it does. */
type JudgedData = GatheredChange & Pick<ComponentChange, 'waitingSince'>;

/** Judges new data by the accepted definition. */
function judgeData(change: JudgedData, data: RecordedData): Verdict {
  const { name, day, before, definition } = change;
  const causes = findChangedSources(before.data, data, `data/${name}.json`);
  return judgeChange({
    ...change,
    before: judgeRecorded(name, definition, before.data, day),
    after: judgeRecorded(name, definition, data, day),
    causes,
  });
}

/** Unusual versions wait until a person accepts them, and while their source is silent. */
function holdVersions(
  change: GatheredChange,
  suspicions: readonly WaitingChange[],
): Pick<GatheredVerdict, 'waiting' | 'used'> {
  const { waits, accepted } = change;
  const waiting: WaitingChange[] = [];
  const used: string[] = [];

  for (const suspicion of suspicions) {
    const { waiting: wait, decision } = continueWait(suspicion, waits, accepted);
    if (decision === undefined) {
      waiting.push(wait);
    } else {
      used.push(decision);
    }
  }

  for (const wait of waits) {
    const isOfVersions = wait.versions !== undefined && wait.kind !== 'change';
    const isOpen = isOfVersions && !accepted.has(wait.id) && isOfSilentSource(wait, change);
    if (isOpen && !waiting.some((entry) => isAlike(wait, entry))) {
      waiting.push(wait);
    }
  }

  return { waiting, used };
}

/** Leaves out new versions that wait. Recorded versions that wait keep their digests. */
function removeWaiting(
  before: RecordedData,
  after: RecordedData,
  waits: readonly WaitingChange[],
): RecordedData {
  const waiting = new Set(waits.flatMap(({ versions = [] }) => versions));
  const recorded = new Map(before.releases.map((release) => [release.version, release]));
  const releases: RecordedRelease[] = [];
  for (const release of after.releases) {
    const former = recorded.get(release.version);
    if (!waiting.has(release.version)) {
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
 * The recorded data with the new releases, and with the greatest release as upstream pulled it. Undefined if readers
 * would lose too much by them.
 */
function findPassingPart(change: JudgedData, newData: RecordedData): PassingPart | undefined {
  const { before, oldState } = change;
  const added = findAddedReleases(before.data, newData);
  const greatest = listUsable(oldState).at(-1)?.text;
  const pulled = newData.releases.find(
    ({ version, withdrawnSince, deprecated }) =>
      version === greatest && (withdrawnSince ?? deprecated) !== undefined,
  );
  const recorded = before.data.releases;
  const candidates = [recorded];
  if (pulled) {
    candidates.unshift(
      recorded.map((release) => (release.version === greatest ? pulled : release)),
    );
  }

  for (const releases of candidates) {
    const data = { ...before.data, releases: [...releases, ...added] };
    const verdict = judgeData(change, data);
    if (!verdict.waiting) {
      return { data, verdict };
    }
  }

  return undefined;
}

/** Judges the changes that were not recorded, as the next run will: one decision about them is valid on every day. */
function judgeRemainder(
  change: JudgedData,
  { data, verdict }: PassingPart,
  newData: RecordedData,
): WaitingChange | undefined {
  const { name, day, definition, journal, waitingSince = day } = change;
  const judged = judgeRecorded(name, definition, data, day);
  const events = numberEvents(journal, verdict.events, `${day}T00:00:00.000Z`, judged);

  const remainder = {
    ...change,
    before: { data },
    oldState: verdict.newState,
    journal: [...journal, ...events],
    waitingSince,
  };
  return judgeData(remainder, newData).waiting;
}
