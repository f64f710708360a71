import { dayOf, type Day } from '../../core/dates.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import type { BelievedRelease } from './believed-days.ts';
import type { MergeJournal } from './merge-journal.ts';

/** A published day, once recorded, stays. An observed one gives way to it: the version existed by then, perhaps earlier. */
export function takeDay(
  entry: RecordedRelease,
  { publishedAt }: BelievedRelease,
  id: string,
  day: Day,
  journal: MergeJournal,
): void {
  const known = entry.releaseTimestamp;
  if (known === undefined) {
    if (publishedAt !== undefined) redate(entry, publishedAt, 'published', `${id} states the day`, journal);
    else redate(entry, entry.firstSeen ?? day, 'observed', `${id} lists it, without a day`, journal);
    return;
  }
  if (entry.timestampKind !== 'observed' || publishedAt === undefined) return;
  const seenOn = dayOf(known);
  if (dayOf(publishedAt) <= seenOn) {
    redate(entry, publishedAt, 'published', `${id} states the day`, journal);
  } else {
    journal.tell(
      'notice',
      `${id} dates ${entry.version} ${publishedAt}, but it was seen on ${seenOn}. The recorded day stays.`,
    );
  }
}

function redate(
  entry: RecordedRelease,
  to: string,
  kind: 'published' | 'observed',
  reason: string,
  journal: MergeJournal,
): void {
  journal.change('corrected', entry, `${entry.releaseTimestamp ?? 'no day'} → ${to} (${kind}): ${reason}`);
  journal.correct(entry, 'releaseTimestamp', to, reason);
  entry.timestampKind = kind;
  if (kind === 'published') delete entry.notListedOn;
}
