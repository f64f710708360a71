/** Defines the input of `passGate`, which holds improbable changes of a component back from readers. Creates and describes these holds. */
import type { Day } from '../core/day.ts';
import { sha256 } from '../core/files.ts';
import type { Decision, Event, Hold, Recorded, StatedLine } from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import { formatList } from '../core/text.ts';

export interface GateInput {
  component: string;
  definition: Definition;
  /** The data that readers have. */
  before: Recorded;
  /** The data that sources list now. */
  after: Recorded;
  /** The ids of sources that answered for the first time since they were added, or since their definition changed. */
  firstAnswers: ReadonlySet<string>;
  /** Whether a source in `firstAnswers` gives the end dates of release lines. */
  hasFirstEnds: boolean;
  /**
   * The day of the last answer of the source of the ends, and the ends in this answer. Absent if this source does not answer today, or
   * never answered before.
   */
  formerEnds?: { answeredOn: Day; lines: readonly StatedLine[] | undefined } | undefined;
  /** The events that readers have. Empty in an index that only uses `gather`. */
  journal: readonly Event[];
  /** The decisions of people to accept held changes, except decisions that an earlier run has used. */
  decisions: readonly Decision[];
  /** The holds that the last run recorded. */
  held: readonly Hold[];
  day: Day;
}

/** The input, with only the data that the definition allows. Readers never see data that the definition excludes. */
export interface Admitted extends GateInput {
  /** The versions that a person accepted. */
  accepted: ReadonlySet<string>;
}

/**
 * Creates a hold. If a recorded hold has the same kind and contains one of these versions, the new hold takes over its id and its first
 * day.
 */
export function createHold(
  { component, held, day }: GateInput,
  kind: Hold['kind'],
  { versions, reason }: Pick<Hold, 'versions' | 'reason'>,
): Hold {
  const digest = sha256([kind, ...versions].join(' ')).slice(0, 10);
  const former = held.find(
    (hold) => hold.kind === kind && hold.versions.some((version) => versions.includes(version)),
  );
  const { id, since } = former ?? { id: `${component}-${digest}`, since: day };
  const command = `npx release-index accept ${id}`;
  return { id, component, kind, since, reason, versions, command };
}

/** Describes a hold, and says what to do about it. `recorded`: shows whether the held versions are missing today. */
export function describeHold(hold: Hold, recorded?: Recorded): string {
  const { since, reason, versions, command } = hold;
  const start = `held since ${since}: ${reason} (${formatList(versions, 5)})`;
  return areMissing(hold, recorded)
    ? `${start}. No source lists them today. If that stays so on the next day, the hold ends by itself`
    : `${start}. ${findAdvice(hold)}: ${command}`;
}

/**
 * Tells whether a hold is for new versions, and all of them are missing today. If they are still missing on the next day, the hold ends.
 */
export function areMissing({ kind, versions }: Hold, recorded?: Recorded): boolean {
  const missing = recorded?.releases.filter(({ missingSince }) => missingSince !== undefined);
  const names = new Set(missing?.map(({ version }) => version));
  return kind !== 'loss' && versions.every((version) => names.has(version));
}

/** Says what ends a hold, and what does not. The command that accepts the change follows. */
function findAdvice({ kind, taken = {}, lines = [], isReturn }: Hold): string {
  const ifRight = 'If the change is right';
  if (kind !== 'loss') {
    return `If these are not releases, exclude them with "allowedVersions" in the source. ${ifRight}`;
  }
  if (taken.malware?.length) {
    return `If the advisory is wrong, add "ignoreAdvisories" to the definition. ${ifRight}`;
  }
  if (isReturn) {
    const ends = lines.length === 1 ? 'this end' : 'these ends';
    return `Readers had ${ends} in the last 30 days. If the source gives the same on the next day, the change takes effect by itself. If the source takes it back, the hold ends. To accept it now`;
  }
  if (lines.length > 0 && Object.values(taken).flat().length === 0) {
    return `If an end is wrong, wait until the source corrects it: the hold then ends by itself. If the source stays as it is, waiting does not end the hold. ${ifRight}`;
  }
  return `If upstream made a mistake, wait until it is corrected: the hold then ends by itself. ${ifRight}`;
}
