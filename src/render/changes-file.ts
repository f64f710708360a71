import { byDayNewestFirst } from '../policy/changes.ts';
import type { Change } from '../model/change.ts';
import type { ComponentSummary } from '../model/component.ts';

export const maxChanges = 1000;

/** The newest changes of all components: newest first; of one day, by component. */
export function changesOfAll(summaries: readonly ComponentSummary[]): Change[] {
  return summaries
    .flatMap((summary) => summary.changes)
    .sort(byDayNewestFirst)
    .slice(0, maxChanges);
}

/** `changes.json`. */
export function renderChangesFile(changes: readonly Change[]): string {
  if (changes.length === 0) return '{"changes": []}\n';
  return `{"changes": [\n${changes.map((change) => JSON.stringify(change)).join(',\n')}\n]}\n`;
}
