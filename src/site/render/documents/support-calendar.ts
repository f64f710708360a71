import {
  describeSupportEnd,
  writeCalendar,
  type CalendarEvent,
} from '../../../ask/plan/write-calendar.ts';
import { addMonths, startOfQuarter } from '../../../core/model/dates.ts';
import { findLastFreePhase } from '../../../core/model/phases.ts';
import { describePhaseName, describeDayRange, moveLabel } from '../../../core/model/words.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';
import { formatList } from '../../../core/text/wording.ts';
import { nameInIds, type Component } from '../../../decide/component.ts';
import type { JudgedLine } from '../../../decide/judge.ts';
import { createLineAdviser, describeTarget, type LineAdviser } from '../../../decide/moves.ts';
import { describePolicy } from '../../../decide/policy-sentences.ts';
import { createCanonicalUrl, nameAuthority, type SiteContext } from '../site-context.ts';

/** Months before the present quarter whose events are kept. */
const monthsBack = 12;

/** The number of lines that an event names. */
const maxNames = 3;

/** `support.ics`, or `calendars/<component>.ics`. `title`: of the index or the component. */
export function renderCalendar(
  path: string,
  title: string,
  events: readonly CalendarEvent[],
  { config, baseUrl }: SiteContext,
): string {
  const head = {
    title: `${title}: ends of support`,
    producer: config.title,
    source: `${baseUrl}/${path}`,
  };
  return writeCalendar(head, events);
}

/** An event for the lines whose support or phase ends in the same way on the same day, and one for each due fix of a release. */
export function listSupportEvents(component: Component, site: SiteContext): CalendarEvent[] {
  const { definition, judgement } = component;
  const { lines, releases, advisories, day } = judgement;
  const firstDay = addMonths(startOfQuarter(day), -monthsBack);

  const ends = lines.flatMap(listPhaseEnds).filter((end) => end.day >= firstDay);
  const groups = Map.groupBy(ends, (end) => [end.day, end.phase.untilAtMost, end.words].join(' '));
  const adviseOn = createLineAdviser(component);
  const events = Array.from(groups.values(), (group) =>
    createEndEvent(group, component, adviseOn, site),
  );

  const affecting = new Set(releases.flatMap((release) => release.advisories));
  for (const advisory of advisories) {
    const { id, dueBy } = advisory;
    if (dueBy !== undefined && dueBy >= firstDay && affecting.has(advisory)) {
      const summary = `${definition.title}: fix of ${id} due`;
      const event = { stamp: dueBy, day: dueBy, summary, description: '' };
      events.push(createEvent(id, event, component, site));
    }
  }
  return events;
}

type PhaseEnd = ReturnType<typeof listPhaseEnds>[number];

/** The ends of the phases of a line. */
function listPhaseEnds(line: JudgedLine) {
  const lastFreePhase = findLastFreePhase(line.phases);
  const ends = [];
  for (const phase of line.phases) {
    const day = phase.until ?? phase.untilAtMost;
    if (day !== undefined) {
      // The end of free support, before which to move.
      const isOfSupport = phase === lastFreePhase;
      const words = isOfSupport ? describeEndOfSupport(phase, line) : describeEndOfPhase(phase);
      ends.push({ line, phase, day, isOfSupport, ...words });
    }
  }
  return ends;
}

/**
 * `words`: `end of phase active`, `support ends`, `support ends, end of phase security`. `subject`: the end of the sentence
 * `Last day …`. `idPart`: its name in ids, which must never change.
 */
function describeEndOfPhase(phase: Phase) {
  const name = describePhaseName(phase);
  // The id of an end of support must stay another one.
  const idPart = phase.name === 'support' ? 'end-of-phase/support' : `end-of-${phase.name}`;
  return { words: `end of phase ${name}`, subject: `of phase ${name}`, idPart };
}

function describeEndOfSupport(phase: Phase, { phases }: JudgedLine) {
  const supportEnd = describeSupportEnd(phase);
  const { words } = describeEndOfPhase(phase);
  return {
    words: phases.length === 1 ? supportEnd : `${supportEnd}, ${words}`,
    subject: 'with support',
    idPart: 'end-of-support',
  };
}

/** `group`: ends with the same words on the same day, the oldest line first. */
function createEndEvent(
  group: readonly [PhaseEnd, ...PhaseEnd[]],
  component: Component,
  adviseOn: LineAdviser,
  site: SiteContext,
): CalendarEvent {
  const { title, support } = component.definition;
  const [oldest] = group;
  const { line, day, isOfSupport, words, idPart } = oldest;
  const newest = group.at(-1) ?? oldest;
  const names = group.map((end) => end.line.name);
  const summary = `${title} ${formatList(names, maxNames)}: ${words}`;
  const { moveTo } = isOfSupport ? adviseOn(newest.line, day) : {};
  const move = moveTo && `${moveLabel} ${describeTarget(component, moveTo)}`;
  const sentences = [describeLastDay(oldest), move && `${move}.`, describePolicy(support)];
  const event = {
    stamp: line.began.from ?? line.began.atMost ?? day,
    day,
    summary: move === undefined ? summary : `${summary}. ${move}`,
    description: `${sentences.filter(Boolean).join(' ')}\n`,
  };
  return createEvent(`${line.name}/${idPart}`, event, component, site);
}

/** `Last day with support.`, `Last day of phase active (between 2026-10-01 and 2026-12-30).` */
function describeLastDay({ phase, subject }: PhaseEnd): string {
  const { until: from, untilAtMost: atMost } = phase;
  const bounds = atMost === undefined ? '' : ` (${describeDayRange({ from, atMost })})`;
  return `Last day ${subject}${bounds}.`;
}

/** An event with its id and the page of its component, which also ends its description. `subject`: unique in the component. */
function createEvent(
  subject: string,
  event: Omit<CalendarEvent, 'uid' | 'url'>,
  component: Component,
  site: SiteContext,
): CalendarEvent {
  const url = createCanonicalUrl(site, `${component.name}.html`);
  const uid = `${nameInIds(component)}/${subject}@${nameAuthority(site)}`;
  return { ...event, uid, url, description: event.description + url };
}
