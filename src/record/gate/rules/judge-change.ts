import { addDays, dayOf } from '../../../core/model/dates.ts';
import type { HeldChange } from '../../../core/schemas/recorded/held.ts';
import type { RecordedData, RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';
import { sourceIds } from '../../../core/schemas/definition/source.ts';
import { toLine } from '../../../core/text/text.ts';
import type { ComponentChange, Verdict } from './component-change.ts';
import { addedReleases } from './data-of-source.ts';
import { createDecisionId } from './decision-id.ts';
import { listCauses } from './list-causes.ts';
import { findLosses, type Losses } from './losses.ts';
import { measures, type StateChange } from './measures.ts';
import { isUsable, readFacts, type ComponentState } from './reader-facts.ts';
import { findSuspicions, type Suspicion } from './suspicions.ts';

/**
 * Judges the outcome for a component. Unusual versions wait by themselves, and the rest goes on. If readers would lose too much
 * without them, the whole component waits.
 */
export function judgeChange(change: ComponentChange): Verdict {
  const { name, before, after, edits, earlier } = change;

  if (change.journal.length === 0) {
    return { name, data: after.data, held: [], edits, used: [] };
  }

  const alone = holdVersions(change, findSuspicions(change));
  const usual = withoutWaiting(before.data, after.data, alone.held);
  const state = { definition: after.definition, data: usual };
  const stateChange = changeTo(change, state);

  const losses = findLosses(stateChange);
  const id = createDecisionId(name, ['component', losses.items]);
  const waited = earlier.find(({ kind }) => kind === 'component');
  const isUnknown = waited?.causes.some((cause) => change.silent.has(cause)) === true;
  const isLossless = losses.reasons.length === 0 && !isUnknown;
  if (isLossless || change.accepted.has(id)) {
    const used = isLossless ? alone.used : [...alone.used, id];
    return { name, data: usual, held: alone.held, edits, used };
  }

  const going = keepGoing(change, usual);
  const held = holdComponent(change, stateChange, losses, going);

  return { name, data: going, held: [held, ...alone.held], edits: [], used: alone.used };
}

function changeTo(change: ComponentChange, after: ComponentState): StateChange {
  const { name, before, day, journal, acceptedOn } = change;
  return { name, before, after, day, journal, acceptedOn };
}

/** Unusual versions wait until a person accepts them, and while their source is silent. */
function holdVersions(change: ComponentChange, suspicions: readonly Suspicion[]) {
  const held: HeldChange[] = [];
  const used: string[] = [];

  for (const suspicion of suspicions) {
    const entry = makeHeld(change, { ...suspicion, causes: [suspicion.cause] });

    if (change.accepted.has(entry.id)) {
      used.push(entry.id);
    } else {
      held.push(entry);
    }
  }

  for (const one of change.earlier) {
    const isFound = held.some((other) => isSameWait(one, other));
    const isAlone = one.kind !== 'component' && one.kind !== 'files';
    if (isAlone && !isFound && change.silent.has(one.causes[0]!)) {
      held.push(one);
    }
  }

  return { held, used };
}

/** Leaves out new versions that wait, and keeps the recorded digests of others. */
function withoutWaiting(
  before: RecordedData,
  after: RecordedData,
  held: readonly HeldChange[],
): RecordedData {
  const waiting = new Set(held.flatMap(({ versions = [] }) => versions));
  const recorded = new Map(before.releases.map((release) => [release.version, release]));
  const releases: RecordedRelease[] = [];

  for (const release of after.releases) {
    const was = recorded.get(release.version);

    if (!waiting.has(release.version)) {
      releases.push(release);
    } else if (was) {
      releases.push(withBytes(release, was));
    }
  }

  return { ...after, releases };
}

function withBytes(release: RecordedRelease, was: RecordedRelease): RecordedRelease {
  const { digests: _, republished: __, ...unchanged } = release;
  const { digests, republished } = was;

  return { ...unchanged, ...(digests && { digests }), ...(republished && { republished }) };
}

/**
 * The data while a component waits: as in the last good state, with the new releases unless readers lose something by them. A
 * latest release that upstream withdrew is marked.
 */
function keepGoing(change: ComponentChange, usual: RecordedData): RecordedData {
  const { before } = change;
  const sources = new Set(sourceIds(before.definition.sources));
  const added = addedReleases(before.data, usual).filter(
    ({ source }) => source === undefined || sources.has(source),
  );
  const grown = { ...before.data, releases: [...before.data.releases, ...added] };
  const state = { definition: before.definition, data: grown };
  const { reasons } = findLosses(changeTo(change, state));
  const data = reasons.length === 0 ? grown : before.data;

  const pulled = findPulled(change, usual);

  const releases = data.releases.map((release) => {
    return release.version === pulled?.version
      ? { ...release, withdrawnSince: pulled.withdrawnSince }
      : release;
  });

  return { ...data, releases: releases as RecordedRelease[] };
}

/** The latest release, if it alone was withdrawn. */
function findPulled(
  { name, before, day, journal }: ComponentChange,
  data: RecordedData,
): RecordedRelease | undefined {
  const listed = new Set(
    before.data.releases
      .filter((one) => one.withdrawnSince === undefined)
      .map((one) => one.version),
  );
  const withdrawn = data.releases.filter(
    ({ version, withdrawnSince }) => withdrawnSince !== undefined && listed.has(version),
  );
  const usable = [...readFacts(name, before, day).releases].filter(([, one]) => isUsable(one));
  const from = addDays(day, -measures.latest.days);
  const isRepeated = journal.some(({ type, at }) => type === 'withdrawn' && dayOf(at) > from);
  const [pulled, ...others] = withdrawn;
  const isGreatest = pulled?.version === usable.at(-1)?.[0];

  return isGreatest && others.length === 0 && !isRepeated ? pulled : undefined;
}

function holdComponent(
  change: ComponentChange,
  stateChange: StateChange,
  losses: Losses,
  held: RecordedData,
): HeldChange {
  const waited = change.earlier.find(({ kind }) => kind === 'component');
  if (losses.reasons.length === 0 && waited) {
    // A source that caused it is silent, so its statement is unknown.
    return waited;
  }

  const causes = listCauses(stateChange, held, change.edits, losses);
  const versions = addedReleases(held, stateChange.after.data).map(({ version }) => version);
  const reason = losses.reasons.join('; ');
  const { items } = losses;
  const entry = makeHeld(change, { kind: 'component', causes, versions, reason, items });

  return { ...entry, commit: change.commit };
}

type Wait = Pick<Suspicion, 'kind' | 'versions' | 'reason' | 'items'> &
  Pick<HeldChange, 'causes'> &
  Partial<Pick<HeldChange, 'id'>>;

function makeHeld(
  change: ComponentChange,
  { id, kind, causes, versions, reason, items }: Wait,
): HeldChange {
  const entry: HeldChange = {
    id: id ?? createDecisionId(change.name, [kind, items]),
    component: change.name,
    kind,
    since: change.day,
    causes,
    reason: toLine(reason),
    consequences: items.length,
    examples: items.slice(0, 5).map((item) => toLine(item)),
    ...(versions.length > 0 && { versions: [...versions] }),
  };

  const since = change.earlier.find((one) => isSameWait(one, entry))?.since;

  return since === undefined ? entry : { ...entry, since };
}

/** Whether two entries wait for the same reason, whatever the consequences. */
function isSameWait(a: HeldChange, b: HeldChange): boolean {
  if (a.kind !== b.kind) {
    return false;
  }

  const isShared = b.versions?.some((version) => a.versions?.includes(version));

  return a.kind === 'component' || (a.causes[0] === b.causes[0] && isShared === true);
}
