import { moveLabel } from '../../core/model/words.ts';
import { findAnswerEnd, nameTarget } from '../answers/verdict-sentences.ts';
import type { Outcome } from './plan-outcomes.ts';
import { describeSupportEnd, writeCalendar, type CalendarEvent } from './write-calendar.ts';

/** A calendar with an event for each version with a known end of support. `baseUrl`: the address of the index, with a slash at its end. */
export function writePlanCalendar(outcomes: readonly Outcome[], baseUrl: string): string {
  const head = { title: 'My versions: ends of support', producer: 'Release index' };
  const events = outcomes.map((outcome) => createEndEvent(outcome, baseUrl));
  return writeCalendar(
    head,
    events.filter((event) => event !== undefined),
  );
}

function createEndEvent(
  { input, item, step, move }: Outcome,
  baseUrl: string,
): CalendarEvent | undefined {
  const { answer, judged, details, replacement } = input;
  const { component, title, version } = answer;
  const end = findAnswerEnd(answer);
  const day = end.until ?? end.untilAtMost;
  if (day === undefined) {
    return undefined;
  }

  const { line } = judged;
  const advice = move ? `. ${moveLabel} ${nameTarget(move.to, details, replacement)}` : '';
  const url = `${baseUrl}${component}.html`;
  return {
    uid: `${component}/${version}/mine@${new URL(baseUrl).hostname}`,
    stamp: line?.firstReleaseDate ?? line?.firstReleaseDateAtMost ?? day,
    day,
    summary: `${title} ${version}: ${describeSupportEnd(end)}${advice}`,
    description: `${(step ?? item).text}\n${url}`,
    url,
  };
}
