import type { CalendarEvent } from '../server/formats/write-calendar.ts';
import type { Outcome } from './plan-outcome.ts';

/** An event for each version with a known end of support. `baseUrl`: the address of the index, with a slash at its end. */
export function planCalendar(outcomes: readonly Outcome[], baseUrl: string): CalendarEvent[] {
  const events: CalendarEvent[] = [];

  for (const { input, step } of outcomes) {
    const { answer, details } = input;
    const { component, title, version, supportedUntil, supportedUntilAtMost } = answer;
    const day = supportedUntil ?? supportedUntilAtMost;
    if (day === undefined) {
      continue;
    }

    const line = details.lines.find((each) => each.line === answer.line);
    const isRange = supportedUntil !== undefined && supportedUntilAtMost !== undefined;
    const url = `${baseUrl}${component}.html`;
    const move = step ? `. Move to ${targetOf(step.to, component)}` : '';

    events.push({
      uid: `${component}/${version}/mine@${new URL(baseUrl).hostname}`,
      stamp: line?.firstReleaseDate ?? line?.firstReleaseDateAtMost ?? day,
      day,
      summary: `${title} ${version}: support ${isRange ? 'may end' : 'ends'}${move}`,
      description: `${answer.sentence} ${answer.advice}\n${url}`,
      url,
    });
  }

  return events;
}

function targetOf(to: { component: string; version: string }, ownName: string): string {
  return to.component === ownName ? to.version : `${to.component} ${to.version}`;
}
