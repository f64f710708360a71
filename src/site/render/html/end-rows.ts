import { type Day } from '../../../core/model/dates.ts';
import { hasEnded } from '../../../core/model/phases.ts';
import { phaseList } from '../../../core/model/words.ts';
import { counted, listed } from '../../../core/text/wording.ts';
import type { ComponentSummary, LineSummary } from '../../../decide/component.ts';
import { endsOfSupport, type EndOfSupport } from '../../../decide/line-ends.ts';
import type { SiteContext } from '../site-context.ts';
import { endView } from './end-view.ts';
import type { Markup } from './markup.ts';
import { chooseAxis, drawPicture, drawPlan, type Picture, type PictureRow } from './picture.ts';
import { renderTemplate } from './templates.ts';

/** With more rows, the picture shows the ends by month. */
export const mostRows = 12;

const maxNames = 2;
/** Months around the present quarter. */
const window = { back: 24, ahead: 30 };

/** The ends that have not certainly passed, the soonest first. */
export function endsAhead(summaries: readonly ComponentSummary[], day: Day): EndOfSupport[] {
  return endsOfSupport(summaries).filter((end) => isAhead(end, day));
}

/** Whether an end has not certainly passed. */
function isAhead(end: EndOfSupport, day: Day): boolean {
  return hasEnded({ until: end.day, untilAtMost: end.atMost }, day) !== true;
}

/** A picture of ends of support. `rows`: a row for each end. */
export function describePicture<Row extends PictureRow>(
  rows: readonly Row[],
  day: Day,
): Picture<Row> {
  return drawPicture(rows, day, chooseAxis(rows, day, window));
}

/** The picture of ends with its words. */
export function drawEnds(ends: readonly EndOfSupport[], { day, theme }: SiteContext): Markup {
  const rows = ends.map((end) => {
    const isLong = end.lines.length > maxNames && !end.isOfAll;
    const view = {
      ...announcedEnd(end, day),
      size: isLong && counted(end.lines.length, 'line'),
      phases: phaseList(end.lines[0].phases),
    };
    return {
      ...endRow(end),
      name: { markup: renderTemplate(theme, 'end-name', view) },
      until: { markup: renderTemplate(theme, 'end-until', view) },
    };
  });

  return drawPlan(describePicture(rows, day), 'Ends of support');
}

/** One row for lines that end together. */
export function endRow({ lines, newest: { state, phases } }: EndOfSupport): PictureRow {
  // An unknown beginning comes first.
  const findStart = ({ began: { from, atMost = from } }: LineSummary) => atMost ?? '';
  const { began } = lines.reduce((first, line) =>
    findStart(line) < findStart(first) ? line : first,
  );
  const releaseDays = lines.flatMap((line) => line.releaseDays).sort();
  return { state, phases, began, releaseDays };
}

/** An end in words. */
export function announcedEnd(end: EndOfSupport, day: Day) {
  const { atMost, component, lines, phase, isOfAll } = end;
  const isOne = !isOfAll && lines.length === 1;
  const notes = [phase, end.newest.inferred && 'inferred'].filter(Boolean).join(', ');
  const view = endView(
    { until: end.day === atMost ? undefined : end.day, untilAtMost: atMost },
    day,
  );

  return {
    end: view,
    words: view.words,
    title: component.definition.title,
    subject: isOfAll ? 'all versions' : joinNames(end),
    notes: notes && `(${notes})`,
    href: `${component.name}.html#${isOne ? `line-${lines[0].name}` : 'lines'}`,
    move: movePart(end, view),
  };
}

/** What to move to. The script of the pages updates it: on the day of the build there may be no reason yet. */
function movePart(
  { component, newest }: EndOfSupport,
  { until, atMost }: ReturnType<typeof endView>,
): object {
  return { component: component.name, line: newest.name, to: newest.moveTo, until, atMost };
}

/** `13.1 to 21.2` if no other line is between them. */
function joinNames({ component, lines, newest }: EndOfSupport): string {
  const [oldest] = lines;
  const { lines: all } = component;
  const isWhole = all.indexOf(newest) - all.indexOf(oldest) === lines.length - 1;
  if (lines.length > maxNames && isWhole) {
    return `${oldest.name} to ${newest.name}`;
  }

  return listed(
    lines.map(({ name }) => name),
    maxNames,
  );
}

/** The replacement of a component, `Edge node 2.2`; empty if there is none. */
export function nameReplacement({ definition, replacement }: ComponentSummary): string {
  const { title = definition.replacedBy, version } = replacement ?? {};
  return [title, version].filter(Boolean).join(' ');
}
