import { dropUndefined } from '../../../core/model/objects.ts';
import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import type { DraftEvent } from '../../../decide/fold-journal.ts';
import type { Judged } from '../../../decide/judge.ts';

/**
 * Numbers the new events of a run after the recorded ones. The first event of a journal names its component. `publishedId`: the
 * greatest id that readers have from before the history was rewritten.
 */
export function numberEvents(
  recorded: readonly JournalEvent[],
  drafts: readonly DraftEvent[],
  at: string,
  {
    name,
    definition,
    publishedId = 0,
  }: Pick<Judged, 'name' | 'definition'> & { publishedId?: number | undefined },
): JournalEvent[] {
  const isInitial = recorded.length === 0;
  const firstName = definition.renamedFrom?.[0] ?? name;
  const lastId = Math.max(recorded.at(-1)?.id ?? 0, publishedId);
  return drafts.map(({ type, on, ...details }, index) =>
    dropUndefined({
      id: lastId + index + 1,
      at,
      type,
      on,
      component: isInitial && index === 0 ? firstName : undefined,
      ...details,
      initial: isInitial ? (true as const) : undefined,
    }),
  );
}
