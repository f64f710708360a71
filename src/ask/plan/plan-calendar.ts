import type { Plan } from '../../core/schemas/published/plan-answer.ts';
import { writeCalendar, type CalendarEvent } from '../server/formats/write-calendar.ts';
import type { Outcome } from './plan-outcome.ts';

/** A calendar with an event for each version with a known end of support. `baseUrl`: the address of the index, with a slash at its end. */
export function writePlanCalendar(
  { items }: Plan,
  outcomes: readonly Outcome[],
  baseUrl: string,
): string {
  const events: CalendarEvent[] = [];

  for (const [index, { input, step, move }] of outcomes.entries()) {
    const { answer, details } = input;
    const { component, title, version, supportedUntil, supportedUntilAtMost } = answer;
    const day = supportedUntil ?? supportedUntilAtMost;
    if (day === undefined) {
      continue;
    }

    const line = details.lines.find((each) => each.line === answer.line);
    const isRange = supportedUntil !== undefined && supportedUntilAtMost !== undefined;
    const url = `${baseUrl}${component}.html`;
    const advice = move ? `. Move to ${describeTarget(move.to, component)}` : '';

    events.push({
      uid: `${component}/${version}/mine@${new URL(baseUrl).hostname}`,
      stamp: line?.firstReleaseDate ?? line?.firstReleaseDateAtMost ?? day,
      day,
      summary: `${title} ${version}: support ${isRange ? 'may end' : 'ends'}${advice}`,
      description: `${(step ?? items[index]!).text}\n${url}`,
      url,
    });
  }

  return writeCalendar(
    { title: 'My versions: ends of support', producer: 'Release index' },
    events,
  );
}

function describeTarget(to: { component: string; version: string }, ownName: string): string {
  return to.component === ownName ? to.version : `${to.component} ${to.version}`;
}
