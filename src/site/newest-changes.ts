import type { Day } from '../dates.ts';
import type { Change } from '../policy/change.ts';
import type { ComponentSummary } from '../policy/component.ts';
import { maxChanges, newestOf } from '../render/site-json.ts';

/**
 * The changes that the documents about all components have room for, while the components bring theirs one after the
 * other, in the order of names. In a large index all changes would be most of what a build has to hold.
 */
export class NewestChanges {
  #newest: Change[] = [];
  #lately: Change[] = [];

  /** The day before which no change will be shown, as far as is known yet; undefined while there is room for all. */
  get from(): Day | undefined {
    return this.#newest.length < maxChanges ? undefined : this.#newest.at(-1)!.on;
  }

  add(changes: readonly Change[]): void {
    this.#lately.push(...changes);
    if (this.#lately.length > maxChanges) this.#settle();
  }

  /** Newest first; of one day, by component. */
  all(): readonly Change[] {
    this.#settle();
    return this.#newest;
  }

  #settle(): void {
    this.#newest = newestOf([...this.#newest, ...this.#lately]);
    this.#lately = [];
  }
}

/** The summary without the changes that lie before the day but for the newest, which the index shows of each component. */
export function forgetChanges(summary: ComponentSummary, before: Day | undefined): ComponentSummary {
  if (before === undefined) return summary;
  const changes = summary.changes.filter((change, index) => index === 0 || change.on >= before);
  return changes.length === summary.changes.length ? summary : { ...summary, changes };
}

/** Whether a list of the newest changes reaches back to days of which not all changes are remembered. */
export function hasRoomForMore(changes: readonly Change[], rememberedFrom: Day): boolean {
  return changes.length < maxChanges || changes.at(-1)!.on < rememberedFrom;
}
