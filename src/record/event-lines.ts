/** Formats the events of a day as lines, for commit messages and for `plan`. */
import type { Event } from '../core/schema/recorded.ts';
import { formatCount } from '../core/text.ts';

const shownLines = 50;

/** Formats a commit message: `data: svc 2026.3.1: released and 4 more changes`, then each change on a line. */
export function writeCommitMessage(events: ReadonlyMap<string, readonly Event[]>): string {
  const lines = listEventLines(events);
  const [first = 'nothing new', ...others] = lines;
  const more = others.length > 0 ? ` and ${formatCount(others.length, 'more change')}` : '';
  return [`data: ${first}${more}`, '', ...lines.slice(0, shownLines)].join('\n');
}

/** Formats each event as a line. The events of a new component share one line. */
export function listEventLines(events: ReadonlyMap<string, readonly Event[]>): string[] {
  return [...events].flatMap(([component, news]) =>
    news[0]?.initial
      ? [`${component}: added with ${formatCount(news.length, 'event')}`]
      : news.map((event) => {
          const { type, version, line, advisory, to = '' } = event;
          return `${component} ${version ?? line ?? advisory ?? to}: ${type}${describeMove(event)}`;
        }),
  );
}

/** Formats the old and the new date of an end of support that moved. If the new date is uncertain, formats both bounds. */
function describeMove({ type, field, from = 'none', to, toAtMost }: Event): string {
  const isDay = type === 'support-changed' || (type === 'corrected' && field === 'day');
  if (!isDay) {
    return '';
  }

  const days = [to, toAtMost].filter((day) => day !== undefined);
  return `, ${from} → ${days.join(' to ') || 'none'}`;
}
