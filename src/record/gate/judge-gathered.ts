import { isDeepStrictEqual } from 'node:util';
import { pick, pickDefined } from '../../core/model/objects.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedData, RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { judgeRecorded } from '../../decide/judge.ts';
import { foldJournal, type JournalState } from '../../decide/fold-journal.ts';
import type { GatherResult } from '../gather/gather-component.ts';
import { toRecordedForm } from '../gather/recorded-release.ts';
import { describeChange, numberEvents } from '../journal/events/describe-change.ts';
import { judgeChange, type ComponentChange, type Verdict } from './gate.ts';
import { findAddedReleases, findChangedSources } from './rules/changed-data.ts';
import { isAlike, keepDecision, type WaitingChange } from './rules/decision-id.ts';
import { applyEvents, listUsable } from './rules/reader-state.ts';
import { findSuspicions, type DataChange, type Suspicion } from './rules/suspicions.ts';

/** The answers of a component's sources, compared with the state that readers know. */
interface GatheredChange
  extends DataChange, Pick<RecordedComponent, 'definition' | 'journal' | 'accepted'> {
  readonly waits: readonly WaitingChange[];
  /** The state that readers know, with the accepted edits. */
  readonly oldState: JournalState;
  /** Versions that an accepted list withdrew, and advisories that a source withdrew. */
  readonly expected: ReadonlySet<string>;
  /** The sources without an answer in this run. */
  readonly silent: ReadonlySet<string>;
}

interface GatheredVerdict {
  /** The data to record. */
  readonly data: RecordedData;
  readonly waiting: readonly WaitingChange[];
  readonly used: readonly string[];
}

/** A component as recorded before this run. */
export interface RecordedComponent extends Pick<
  ComponentChange,
  'name' | 'day' | 'journal' | 'accepted' | 'acceptedOn'
> {
  readonly definition: Definition;
  readonly data: RecordedData;
  readonly freshness: Freshness;
  /** Its changes that waited after the last run. */
  readonly waits: readonly WaitingChange[];
}

/** Judges what the sources of a component state. `isNews` says that the data to record differs. */
export function judgeGathered(
  component: RecordedComponent,
  result: GatherResult,
): GatheredVerdict & { readonly isNews: boolean } {
  const change = describeGathered(component, result);
  const { data, waiting, used } = judgeChangedData(change);
  const { shortLists, accepted } = result;
  const silentLists = component.waits.filter(
    ({ kind, causes }) =>
      kind === 'list' &&
      change.silent.has(causes[0]!) &&
      !shortLists.some((list) => list.causes[0] === causes[0]),
  );

  return {
    data,
    isNews: !isSameData(component.data, data),
    waiting: [...waiting, ...shortLists, ...silentLists],
    used: [...used, ...accepted.map(({ id }) => id)],
  };
}

/** A file written by hand may have another order. */
function isSameData(before: RecordedData, after: RecordedData): boolean {
  return isDeepStrictEqual(orderAsRecorded(before), orderAsRecorded(after));
}

export function orderAsRecorded(data: RecordedData): RecordedData {
  return { ...data, releases: toRecordedForm(data.releases) };
}

function describeGathered(component: RecordedComponent, result: GatherResult): GatheredChange {
  const { name, day, definition, data, freshness, journal } = component;
  const state = foldJournal(journal);
  const judged = judgeRecorded(name, definition, data, day);

  return {
    ...pick(component, ['name', 'day', 'definition', 'journal', 'accepted', 'acceptedOn']),
    oldState: applyEvents(state, describeChange(state, judged, day)),
    before: { data },
    after: { definition, data: pickDefined(result, ['releases', 'advisories', 'lines']) },
    expected: listExpected(result),
    freshness: { before: freshness, after: result.freshness },
    rejectedDays: result.rejectedDays,
    silent: new Set(result.sources.filter(({ kind }) => kind !== 'answered').map(({ id }) => id)),
    waits: component.waits.filter(({ commit }) => commit === undefined),
  };
}

/** The versions and advisories that a decision or a source withdrew. */
function listExpected({ accepted, withdrawnAdvisories }: GatherResult): Set<string> {
  return new Set([...accepted.flatMap(({ withdrawn }) => withdrawn), ...withdrawnAdvisories]);
}

/**
 * Unusual versions wait, and all other news is recorded. If readers would lose too much by it, the component waits: its recorded
 * data stays, and new releases still come in.
 */
function judgeChangedData(change: GatheredChange): GatheredVerdict {
  const { before, after, waits, silent, accepted } = change;
  if (change.journal.length === 0) {
    return { data: after.data, waiting: [], used: [] };
  }

  const { waiting: versionWaits, used } = holdVersions(change, findSuspicions(change));
  const newData = removeWaiting(before.data, after.data, versionWaits);
  const lastWait = waits.find(({ kind }) => kind === 'change');
  const waitingSince = lastWait?.since;
  const verdict = judgeData({ ...change, waitingSince }, newData);
  const isUnknown = lastWait?.causes.some((cause) => silent.has(cause)) === true;
  if (!verdict.waiting && !isUnknown) {
    return { data: newData, waiting: versionWaits, used: [...used, ...verdict.used] };
  }

  // The change of a silent source is unknown, so it still waits unless a person has accepted it.
  const openWait = lastWait && !accepted.has(lastWait.id) ? lastWait : undefined;
  const isWaiting = verdict.waiting !== undefined || openWait !== undefined;
  const part = isWaiting ? findPassingPart({ ...change, waitingSince }, newData) : undefined;
  const { waiting = openWait } =
    verdict.waiting && part ? judgeRest(change, part, newData, waitingSince) : verdict;
  const data = part?.data ?? (waiting ? before.data : newData);
  const versions = findAddedReleases(data, newData).map(({ version }) => version);
  const entry = waiting && { ...waiting, ...(versions.length > 0 && { versions }) };
  return { data, waiting: [...(entry ? [entry] : []), ...versionWaits], used };
}

/** `waitingSince`: the first day on which the component waited because of its sources, if it does. */
type JudgedData = GatheredChange & Pick<ComponentChange, 'waitingSince'>;

/** Judges new data by the accepted definition. */
function judgeData(change: JudgedData, data: RecordedData) {
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
function holdVersions(change: GatheredChange, suspicions: readonly Suspicion[]) {
  const { name, day, waits, accepted, silent } = change;
  const waiting: WaitingChange[] = [];
  const used: string[] = [];

  for (const { id, kind, cause, versions, reason, items } of suspicions) {
    const entry = keepDecision(
      {
        id,
        component: name,
        kind,
        since: day,
        causes: [cause],
        reason: toLine(reason),
        versions: [...versions],
        items: items.map((item) => toLine(item)),
      },
      waits,
    );
    const decision = [id, entry.id].find((decisionId) => accepted.has(decisionId));

    if (decision === undefined) {
      waiting.push(entry);
    } else {
      used.push(decision);
    }
  }

  for (const wait of waits) {
    const isOfVersions = wait.versions !== undefined && wait.kind !== 'change';
    const isRepeated = waiting.some((entry) => isAlike(wait, entry));
    if (isOfVersions && !isRepeated && silent.has(wait.causes[0]!) && !accepted.has(wait.id)) {
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
      releases.push(keepBytes(release, former));
    }
  }

  return { ...after, releases };
}

function keepBytes(release: RecordedRelease, former: RecordedRelease): RecordedRelease {
  const { digests: _, republished: __, ...unchanged } = release;
  const { digests, republished } = former;
  return { ...unchanged, ...(digests && { digests }), ...(republished && { republished }) };
}

/** The part of a change that is recorded while the rest waits, and its verdict. */
interface PassingPart {
  readonly data: RecordedData;
  readonly verdict: Verdict;
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
  const withPulled = recorded.map((release) =>
    pulled && release.version === greatest ? pulled : release,
  );

  for (const releases of pulled ? [withPulled, recorded] : [recorded]) {
    const data = { ...before.data, releases: [...releases, ...added] };
    const verdict = judgeData(change, data);
    if (!verdict.waiting) {
      return { data, verdict };
    }
  }

  return undefined;
}

/** Judges the changes that were not recorded, as the next run will: one decision about them is valid on every day. */
function judgeRest(
  change: GatheredChange,
  part: PassingPart,
  newData: RecordedData,
  since = change.day,
) {
  const { name, day, definition, journal } = change;
  const { data, verdict } = part;
  const judged = judgeRecorded(name, definition, data, day);
  const events = numberEvents(journal, verdict.events, `${day}T00:00:00.000Z`, judged);

  return judgeData(
    {
      ...change,
      before: { data },
      oldState: verdict.newState,
      journal: [...journal, ...events],
      waitingSince: since,
    },
    newData,
  );
}
