import type { EventType } from '../../../core/schemas/recorded/journal.ts';
import type { DraftEvent } from '../../../decide/fold-journal.ts';

/** The events of a component if an edit had not been made. */
export interface WithoutEdit {
  readonly edit: string;
  readonly drafts: readonly DraftEvent[];
}

/** More changes than this that one edit causes are one entry for readers. */
const maxApart = 5;

/** Names the edit in each event that it caused, if it caused many. By component. */
export function nameEdits(
  drafts: ReadonlyMap<string, readonly DraftEvent[]>,
  without: (component: string) => readonly WithoutEdit[],
): Map<string, DraftEvent[]> {
  const edits = new Map<DraftEvent, string>();
  const counts = new Map<string, number>();

  for (const [name, of] of drafts) {
    const draftsByEdit = without(name).map(
      ({ edit, drafts: others }) => [edit, new Set(others.map(keyOf))] as const,
    );

    for (const draft of draftsByEdit.length === 0 ? [] : of) {
      const edit =
        isOfEdits(draft.type) && draftsByEdit.findLast(([, keys]) => !keys.has(keyOf(draft)))?.[0];
      if (!edit) {
        continue;
      }

      edits.set(draft, edit);
      counts.set(edit, (counts.get(edit) ?? 0) + 1);
    }
  }

  const named = (draft: DraftEvent) => {
    const edit = edits.get(draft);
    return edit !== undefined && (counts.get(edit) ?? 0) > maxApart ? { ...draft, edit } : draft;
  };

  return new Map(Array.from(drafts, ([name, of]) => [name, of.map(named)]));
}

function isOfEdits(type: EventType): boolean {
  return (
    ['deprecated', 'restored', 'replaced', 'corrected', 'included', 'excluded'].includes(type) ||
    type.startsWith('support-')
  );
}

/** An edit that only changes the reason causes no event. */
function keyOf({ reason: _, url: __, ...event }: DraftEvent): string {
  return JSON.stringify(event);
}
