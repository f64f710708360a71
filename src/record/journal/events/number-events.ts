import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import type { DraftEvent } from '../../../decide/fold-journal.ts';
import type { Judged } from '../../../decide/judge.ts';

/** Numbers the new events of a run after the recorded ones, and after `publishedId`, published before history was rewritten. */
export function numberEvents(
  recorded: readonly JournalEvent[],
  drafts: readonly DraftEvent[],
  at: string,
  { name, definition }: Pick<Judged, 'name' | 'definition'>,
  publishedId = 0,
): JournalEvent[] {
  const isInitial = recorded.length === 0;
  const lastId = Math.max(recorded.at(-1)?.id ?? 0, publishedId);
  return drafts.map(({ type, on, ...details }, index) => ({
    id: lastId + index + 1,
    at,
    type,
    on,
    ...(isInitial && index === 0 && { component: definition.renamedFrom?.[0] ?? name }),
    ...details,
    ...(isInitial && { initial: true as const }),
  }));
}
