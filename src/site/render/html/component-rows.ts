import {
  dayNumber,
  cutDay,
  daysBetween,
  oldestFirst,
  type Day,
} from '../../../core/model/dates.ts';
import { counted } from '../../../core/text/text.ts';
import { stateLabels } from '../../../core/model/words.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { endsAhead, nameReplacement } from './end-rows.ts';
import { joinLabels } from './labels.ts';

/** The groups of rows, in order. A heading says once what all rows of a group lack. */
const headings = {
  'ends-stated': '',
  'newest-lines': 'Supported until newer lines appear',
  'no-end': 'Supported, no end announced',
  'no-promise': stateLabels['no-promise'],
  deprecated: 'No version to use: every release is deprecated or a prerelease',
  ended: 'No version to use: support has ended',
  'no-release': 'No release known yet',
};

function chooseGroup(summary: ComponentSummary, day: Day): keyof typeof headings {
  const policy = summary.definition.support?.policy ?? 'none';

  if (endsAhead([summary], day).length > 0) {
    return 'ends-stated';
  }

  const isAnySupported = summary.lines.some((line) => line.isSupported);

  if (summary.releases === 0) {
    const ofLines = isAnySupported ? 'no-end' : 'ended';
    return summary.lines.length === 0 ? 'no-release' : ofLines;
  }

  if (!summary.latest) {
    return policy === 'none' || isAnySupported ? 'deprecated' : 'ended';
  }

  if (!isAnySupported) {
    return 'no-promise';
  }

  return policy === 'latest-lines' ? 'newest-lines' : 'no-end';
}

/** By the soonest end, then by title. */
export function describeGroups(summaries: readonly ComponentSummary[], day: Day): object[] {
  const sorted = summaries
    .map((summary) => ({
      key: summary.definition.title.toLowerCase(),
      row: componentRow(summary, day),
      summary,
    }))
    .sort((a, b) => oldestFirst(a.row.firstEnd, b.row.firstEnd) || oldestFirst(a.key, b.key));

  const groups = Map.groupBy(sorted, ({ summary }) => chooseGroup(summary, day));

  return Object.entries(headings)
    .map(([id, heading]) => {
      const rows = groups.get(id as keyof typeof headings)?.map(({ row }) => row) ?? [];
      return rows.length === 0 ? undefined : { id, heading, rows };
    })
    .filter((value) => value !== undefined);
}

/** Groups by the first letter of the title, for the links of a long index. */
export function describeLetters(summaries: readonly ComponentSummary[], day: Day): object[] {
  const order = new Intl.Collator('en');
  const sorted = summaries.toSorted((a, b) =>
    order.compare(a.definition.title, b.definition.title),
  );
  const findLetter = ({ definition }: ComponentSummary) =>
    /^[a-z]/i.exec(definition.title)?.[0].toUpperCase() ?? '0–9';

  return Array.from(Map.groupBy(sorted, findLetter), ([heading, of]) => ({
    id: `letter-${heading.toLowerCase()}`,
    heading,
    rows: of.map((summary) => componentRow(summary, day)),
  }));
}

/** A component in a table. */
function componentRow(summary: ComponentSummary, day: Day) {
  const { name, definition, latest, freshness, releaseDays } = summary;
  const [next] = endsAhead([summary], day);

  return {
    ...definition,
    name,
    // A name that only repeats the title is left out.
    requestName: name === definition.title.toLowerCase() ? undefined : name,
    labels: joinLabels(summary),
    isHeld: freshness.state === 'held',
    latest: latest?.version,
    instead: latest ? '' : nameReplacement(summary),
    day: latest?.releaseTimestamp && cutDay(latest.releaseTimestamp),
    isObserved: latest?.timestampKind === 'observed',
    firstEnd: next?.day ?? '',
    releases: counted(releaseDays.length, 'day'),
    ticks: releaseDays.map((on, index) => tickOn(on, releaseDays[index - 1])).join(''),
  };
}

/** A part of a path. A tick is relative to the previous tick, because such paths compress well. */
function tickOn(day: Day, previous: Day | undefined): string {
  return previous === undefined ? `M${dayNumber(day)} 0v1` : `m${daysBetween(previous, day)}-1v1`;
}
