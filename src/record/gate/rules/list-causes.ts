import type { DefinitionEdit } from './component-change.ts';
import { changedSources, withoutSource } from './data-of-source.ts';
import { findLosses, type Losses } from './losses.ts';
import type { RecordedData } from '../../../core/schemas/recorded/recorded.ts';
import type { StateChange } from './measures.ts';
import type { ComponentState } from './reader-facts.ts';

/** What a new state would be without one of its causes. */
interface Cause {
  readonly name: string;
  readonly without: ComponentState;
}

/**
 * The edits and sources that lose something by themselves: without them, a consequence is gone. `going`: the data that counts
 * meanwhile, so that new releases in it are no cause.
 */
export function listCauses(
  change: StateChange,
  going: RecordedData,
  edits: readonly DefinitionEdit[],
  losses: Losses,
): string[] {
  const causes = possibleCauses(change, going, edits);
  const reasons: string[] = [];

  for (const { name, without } of causes.length > 1 ? causes : []) {
    const left = findLosses({ ...change, after: without });
    const isSmaller = losses.items.some((item) => !left.items.includes(item));
    if (isSmaller || left.reasons.length === 0) {
      reasons.push(name);
    }
  }

  // Two of them may have the same consequences.
  return reasons.length > 0 ? reasons : causes.map(({ name }) => name);
}

function possibleCauses(
  { name: component, after }: StateChange,
  going: RecordedData,
  edits: readonly DefinitionEdit[],
): Cause[] {
  const causes: Cause[] = [];

  for (const { cause: name, without } of edits) {
    causes.push({ name, without: { ...after, definition: without } });
  }

  const file = `data/${component}.json`;

  for (const name of changedSources(going, after.data, file)) {
    const data = withoutSource(going, after.data, name, file);
    causes.push({ name, without: { ...after, data } });
  }

  return causes;
}
