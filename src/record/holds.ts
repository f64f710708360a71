/** What the gate knows of a component on a day, and the holds that it makes. */
import type { Day } from '../core/day.ts';
import { sha256 } from '../core/files.ts';
import type { Decision, Hold, Recorded } from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import { formatList } from '../core/text.ts';

export interface GateInput {
  component: string;
  definition: Definition;
  /** What counted until now: readers have it. */
  before: Recorded;
  /** What is recorded now: sources state it. */
  after: Recorded;
  /** The ids of sources that answered for the first time with their definition. */
  firstAnswers: ReadonlySet<string>;
  /** One of these states the ends of lines. */
  hasFirstEnds: boolean;
  /** Those that no run has used. */
  decisions: readonly Decision[];
  /** What waited after the last run. */
  held: readonly Hold[];
  day: Day;
}

/** What the definition admits: the rest reaches nobody. */
export interface Admitted extends GateInput {
  /** The versions that a person let through. */
  accepted: ReadonlySet<string>;
}

/**
 * Creates a hold. Its id is a hash of the first versions, so a growing loss keeps its id and a different loss gets another one.
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

/** Returns the sentence in which a person reads of a hold. */
export function describeHold({ since, reason, versions, command }: Hold): string {
  return `waits since ${since}: ${reason} (${formatList(versions, 5)}). If this is right: ${command}`;
}
