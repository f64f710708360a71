import type { Day } from '../../core/model/dates.ts';
import type { Plan } from '../../core/schemas/published/plan-answer.ts';
import { writeCalendar, type CalendarEvent } from '../server/formats/write-calendar.ts';
import { describeTarget } from './pairs.ts';
import type { Outcome } from './plan-outcome.ts';

/** A calendar with an event for each version with a known end of support. `baseUrl`: the address of the index, with a slash at its end. */
export function writePlanCalendar(
  { items }: Plan,
  outcomes: readonly Outcome[],
  baseUrl: string,
): string {
  const events: CalendarEvent[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const { supportedUntil, supportedUntilAtMost } = outcome.input.answer;
    const day = supportedUntil ?? supportedUntilAtMost;
    if (day !== undefined) {
      // The items of a plan are in the order of its list.
      const { text } = outcome.step ?? items[index]!;
      events.push(createEndEvent(outcome, day, text, baseUrl));
    }
  }

  return writeCalendar(
    { title: 'My versions: ends of support', producer: 'Release index' },
    events,
  );
}

/** `text`: what to do about the version. */
function createEndEvent(
  { input, move }: Outcome,
  day: Day,
  text: string,
  baseUrl: string,
): CalendarEvent {
  const { answer, details } = input;
  const { component, title, version, supportedUntil, supportedUntilAtMost } = answer;
  const line = details.lines.find((each) => each.line === answer.line);
  const isRange = supportedUntil !== undefined && supportedUntilAtMost !== undefined;
  const advice = move ? `. Move to ${describeTarget(move.to, component)}` : '';
  const url = `${baseUrl}${component}.html`;
  return {
    uid: `${component}/${version}/mine@${new URL(baseUrl).hostname}`,
    stamp: line?.firstReleaseDate ?? line?.firstReleaseDateAtMost ?? day,
    day,
    summary: `${title} ${version}: support ${isRange ? 'may end' : 'ends'}${advice}`,
    description: `${text}\n${url}`,
    url,
  };
}
