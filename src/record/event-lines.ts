/** The events of a day in lines: of a commit, and of a plan. */
import type { Event } from '../core/schema/recorded.ts';
import { formatCount } from '../core/text.ts';

const shownLines = 50;

/** `data: svc 2026.3.1: released and 4 more changes`, and each change on a line. */
export function writeCommitMessage(events: ReadonlyMap<string, readonly Event[]>): string {
  const lines = listEventLines(events);
  const [first = 'nothing new', ...others] = lines;
  const more = others.length > 0 ? ` and ${others.length} more changes` : '';
  return [`data: ${first}${more}`, '', ...lines.slice(0, shownLines)].join('\n');
}

/** Each event in a line, those of a new component together. */
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

/** From and to of a day that moves. */
function describeMove({ type, field, from = 'none', to, toAtMost }: Event): string {
  const isDay = type === 'support-changed' || (type === 'corrected' && field === 'day');
  return isDay ? `, ${from} → ${to ?? toAtMost ?? 'none'}` : '';
}
