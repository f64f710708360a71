import type { Day } from '../dates.ts';
import type { Change } from '../model/change.ts';
import type { ComponentSummary } from '../model/component.ts';
import { changesOfAll, maxChanges } from '../render/changes-file.ts';

/**
 * Forgets the changes that the documents about all components have no room for; of each component, the newest stays. In a
 * large index they would be most of what a build has to hold.
 */
export function forgetOldChanges(summaries: readonly ComponentSummary[]): ComponentSummary[] {
  const cutoff = cutoffOf(summaries);
  if (cutoff === undefined) return [...summaries];
  return summaries.map((summary) => {
    const changes = summary.changes.filter((change, index) => index === 0 || change.on >= cutoff);
    return changes.length === summary.changes.length ? summary : { ...summary, changes };
  });
}

/** The day before which no change is shown; undefined where there is room for all. */
export function cutoffOf(summaries: readonly ComponentSummary[]): Day | undefined {
  const shown = changesOfAll(summaries);
  return shown.length < maxChanges ? undefined : shown.at(-1)!.on;
}

/** Whether a list of the newest changes reaches back to days of which not all changes are remembered. */
export function hasRoomForMore(changes: readonly Change[], rememberedFrom: Day): boolean {
  return changes.length < maxChanges || changes.at(-1)!.on < rememberedFrom;
}
