import { phaseList, type DayRange } from '../../../core/words.ts';
import type { Day } from '../../../core/dates.ts';
import { markup, type Markup } from './markup.ts';
import { counted, listed } from '../../../core/text.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { endsOfSupport, type EndOfSupport } from '../../../decide/ends.ts';
import { drawPlan } from './draw-picture.ts';
import { endPart, endView, markDays } from './end-view.ts';
import { axisOf, drawPicture, type Picture, type PictureRow } from './picture.ts';
import { isSoon } from './time-axis.ts';

/** With more rows, the picture shows the ends by month. */
export const mostRows = 12;

const maxNames = 2;
/** Months around the present quarter. */
const window = { back: 24, ahead: 30 };

/** All components by name. */
export type ByName = ReadonlyMap<string, ComponentSummary>;

/** The ends that have not certainly passed, the soonest first. */
export function endsAhead(summaries: readonly ComponentSummary[], day: Day): EndOfSupport[] {
  return endsOfSupport(summaries).filter((end) => isAhead(end, day));
}

/** Whether an end has not certainly passed. */
export function isAhead(end: EndOfSupport, day: Day): boolean {
  return (end.atMost ?? end.day) > day;
}

/** A row for each end. */
export function pictureOf(ends: readonly EndOfSupport[], day: Day): Picture {
  const rows = ends.map(rowOf);
  return drawPicture(rows, day, axisOf(rows, day, window));
}

/** The same with its words. */
export function planOf(ends: readonly EndOfSupport[], byName: ByName, day: Day): Markup {
  const rows = ends.map((end) => {
    const { href, title, what, remedy, end: until } = announcedEnd(end, byName, day);
    const size =
      end.lines.length > maxNames ? markup` <small>${counted(end.lines.length, 'line')}</small>` : '';
    const stated = phaseList(end.facts[0]!.phases);
    const phases = markup` <small class="visually-hidden">Phases: ${markDays(stated)}.</small>`;
    return {
      name: markup`<a href="${href}"><bdi>${title}</bdi></a> ${what}${size}`,
      until: markup`${until}${remedy && markup` <small>${remedy}</small>`}${stated && phases}`,
    };
  });
  return drawPlan(pictureOf(ends, day), rows, 'Ends of support');
}

/** One row for lines that end together. */
function rowOf({ facts }: EndOfSupport): PictureRow {
  const { state, phases } = facts.at(-1)!;
  const starts = facts.map(({ began }) => began);
  const isKnown = starts.every((began) => (began.atMost ?? began.from) !== undefined);
  const earliest = (first: DayRange, began: DayRange) =>
    (began.atMost ?? began.from)! < (first.atMost ?? first.from)! ? began : first;
  return {
    ...{ state, phases },
    began: isKnown ? starts.reduce(earliest) : {},
    releaseDays: facts.flatMap(({ releaseDays }) => releaseDays).sort(),
  };
}

/** An end in words. `isCounted`: the script adds the time until a near end. */
export function announcedEnd(end: EndOfSupport, byName: ByName, day: Day, isCounted = true) {
  const { atMost, component, title, lines, phase, isOfAll } = end;
  const isOne = !isOfAll && lines.length === 1;
  const view = endView({ until: end.day === atMost ? undefined : end.day, untilAtMost: atMost }, day);
  const to = remedyAfter(end, byName);
  return {
    end: endPart(isCounted ? view : { ...view, isNear: false }),
    words: view.words,
    title,
    what: `${isOfAll ? 'all versions' : namesOf(end, byName)}${phase === undefined ? '' : ` (${phase})`}`,
    href: `${component}.html#${isOne ? `line-${lines[0]!}` : 'lines'}`,
    to,
    remedy: to !== '' && isSoon(day, end.day) ? `Move to ${to}` : '',
  };
}

/** `13.1 to 21.2` if no other line is between them. */
function namesOf({ component, lines }: EndOfSupport, byName: ByName): string {
  const all = byName.get(component)?.lines.map(({ name }) => name) ?? lines;
  const isWhole = all.indexOf(lines.at(-1)!) - all.indexOf(lines[0]!) === lines.length - 1;
  return lines.length > maxNames && isWhole ? `${lines[0]!} to ${lines.at(-1)!}` : listed(lines, maxNames);
}

/** The version or component to move to; empty if there is none. */
function remedyAfter({ component, lines }: EndOfSupport, byName: ByName): string {
  const summary = byName.get(component)!;
  const { definition, latest } = summary;
  if (definition.replacedBy !== undefined) return replacementOf(summary, byName);
  return latest && !lines.includes(latest.line) ? latest.version : '';
}

/** The replacement of a component, `Edge node 2.2`; empty if there is none. */
export function replacementOf({ definition, replacement }: ComponentSummary, byName: ByName): string {
  const { replacedBy } = definition;
  if (replacedBy === undefined) return '';
  return [byName.get(replacedBy)?.definition.title ?? replacedBy, replacement?.version]
    .filter(Boolean)
    .join(' ');
}
