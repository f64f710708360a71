import { endsOfSupport, type EndOfSupport } from '../../../decide/ends.ts';
import { addDays, addMonths, dayOf, startOfQuarter, type Day } from '../../../core/dates.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { timetableFrom } from '../../../decide/release-days.ts';
import { linesThatEnd, pictureOf } from './row-picture.ts';
import { isSoon, timeAxis, type TimeAxis } from './time-axis.ts';

/** A component and its ends of support ahead, soonest first. */
interface Row {
  readonly summary: ComponentSummary;
  readonly ends: readonly EndOfSupport[];
}

/** The groups of rows in their order. A heading says once what all of its rows lack. */
const headings = {
  'ends-stated': 'End of support announced',
  'newest-lines': 'Supported until newer lines come',
  'no-end': 'Supported, no end announced',
  listed: 'No end of support announced',
  deprecated: 'Nothing to use: every release is deprecated or a prerelease',
  ended: 'Nothing to use: support has ended',
  'no-release': 'Nothing to use: no release is known',
};

function groupOf({ summary, ends }: Row): keyof typeof headings {
  const policy = summary.definition.support?.policy ?? 'none';
  if (ends.length > 0) return 'ends-stated';
  if (summary.releases === 0) return 'no-release';
  if (!summary.latest) return policy === 'none' || isPromised(summary) ? 'deprecated' : 'ended';
  if (policy === 'none') return 'listed';
  return policy === 'latest-lines' ? 'newest-lines' : 'no-end';
}

/** The rows of the index on an axis of eight quarters: three before that of the day, and four after it. */
export function timetableOf(summaries: readonly ComponentSummary[], day: Day) {
  const axis = timeAxis(timetableFrom(day), addDays(addMonths(startOfQuarter(day), 15), -1));
  const rows = summaries
    .map((summary) => ({ summary, ends: endsOfSupport([summary]).filter((end) => end.day > day) }))
    .sort(byTitle);
  const members = Map.groupBy(rows, groupOf);
  members.set('ends-stated', (members.get('ends-stated') ?? []).sort(byEnd));
  return {
    axis,
    groups: Object.entries(headings).flatMap(([id, heading]) => {
      const of = members.get(id as keyof typeof headings) ?? [];
      if (of.length === 0) return [];
      return { id, heading, size: of.length, rows: of.map((row) => viewRow(row, axis, day)) };
    }),
  };
}

function isPromised({ lines }: ComponentSummary): boolean {
  return lines.some((line) => line.isSupported);
}

/** Unknown values are empty texts. */
function viewRow({ summary, ends }: Row, axis: TimeAxis, day: Day): object {
  const { name, definition, latest, freshness } = summary;
  const [next] = ends;
  return {
    name,
    title: definition.title,
    description: definition.description ?? '',
    isHeld: freshness.state === 'held',
    latest: latest?.version ?? '',
    day: latest?.releaseTimestamp === undefined ? '' : dayOf(latest.releaseTimestamp),
    isObserved: latest?.timestampKind === 'observed',
    next: next && { day: next.day, lines: linesThatEnd(next) },
    isSoon: next !== undefined && isSoon(day, next.day),
    picture: pictureOf(summary, ends, axis, day),
  };
}

function byTitle(a: Row, b: Row): number {
  const [left, right] = [a, b].map(({ summary }) => summary.definition.title.toLowerCase()) as [
    string,
    string,
  ];
  return left < right ? -1 : Number(left > right);
}

function byEnd(a: Row, b: Row): number {
  return a.ends[0]!.day < b.ends[0]!.day ? -1 : Number(a.ends[0]!.day > b.ends[0]!.day);
}
