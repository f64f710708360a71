import { byDayNewestFirst } from '../policy/changes.ts';
import type { Change } from '../policy/change.ts';

export const maxChanges = 1000;

/** The newest changes, newest first; those of one day stay in their order. */
export function newestOf(changes: readonly Change[]): Change[] {
  return changes.toSorted(byDayNewestFirst).slice(0, maxChanges);
}

/** `changes.json`. */
export function renderChangesFile(changes: readonly Change[]): string {
  if (changes.length === 0) return '{"changes": []}\n';
  return `{"changes": [\n${changes.map((change) => JSON.stringify(change)).join(',\n')}\n]}\n`;
}
