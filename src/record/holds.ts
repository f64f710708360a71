/** Defines the input of `passGate`, which holds improbable changes of a component back from readers. Creates and describes these holds. */
import type { Day } from '../core/day.ts';
import { sha256 } from '../core/files.ts';
import type { Decision, Hold, Recorded } from '../core/schema/recorded.ts';
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
    : `${start}. ${findAdvice(hold)}. If the change is right: ${command}`;
}

/**
 * Tells whether a hold is for new versions, and all of them are missing today. If they are still missing on the next day, the hold ends.
 */
export function areMissing({ kind, versions }: Hold, recorded?: Recorded): boolean {
  const missing = recorded?.releases.filter(({ missingSince }) => missingSince !== undefined);
  const names = new Set(missing?.map(({ version }) => version));
  return kind !== 'loss' && versions.every((version) => names.has(version));
}

function findAdvice({ kind, taken }: Hold): string {
  if (kind !== 'loss') {
    return 'If these are not releases, exclude them with "allowedVersions" in the source';
  }
  return taken?.malware?.length
    ? 'If the advisory is wrong, add "ignoreAdvisories" to the definition'
    : 'If upstream made a mistake, wait until it is corrected: the hold then ends by itself';
}
