import { cutDay, type Day, countDaysSinceEpoch, oldestFirst } from '../../../core/model/dates.ts';
import { stateLabels } from '../../../core/model/words.ts';
import { formatCount } from '../../../core/text/wording.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { listEndsAhead } from './end-rows.ts';
import { drawMarks } from './picture.ts';

/** A longer table has groups by letter, and browsers skip the layout of rows that are not visible. */
const maxRowsAtOnce = 100;

/** The table of all components, in groups. */
export function createComponentTable(summaries: readonly ComponentSummary[], day: Day) {
  const isLong = summaries.length > maxRowsAtOnce;
  return {
    isLong,
    groups: isLong ? groupByLetter(summaries) : groupByEnd(summaries, day),
    groupings: isLong ? listGroupings(summaries) : [],
  };
}

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

/** By the soonest end, then by title. */
function groupByEnd(summaries: readonly ComponentSummary[], day: Day): object[] {
  const entries = summaries.map((summary) => {
    const [end] = listEndsAhead([summary], day);
    return {
      summary,
      group: end ? 'ends-stated' : chooseGroup(summary),
      firstEnd: end?.day ?? '',
      title: summary.definition.title.toLowerCase(),
    };
  });
  entries.sort((a, b) => oldestFirst(a.firstEnd, b.firstEnd) || oldestFirst(a.title, b.title));

  const groups = Map.groupBy(entries, ({ group }): string => group);
  const views = [];
  for (const [id, heading] of Object.entries(headings)) {
    const rows = groups.get(id)?.map(({ summary }) => createComponentRow(summary));
    if (rows) {
      views.push({ id, heading, rows });
    }
  }
  return views;
}

/** The group of a component without an end ahead. */
function chooseGroup(summary: ComponentSummary): keyof typeof headings {
  const { definition, lines, releases, latest } = summary;
  const policy = definition.support?.policy ?? 'none';
  const isSupported = lines.some((line) => line.isSupported);

  if (releases === 0 && lines.length === 0) {
    return 'no-release';
  }
  if (releases === 0) {
    return isSupported ? 'no-end' : 'ended';
  }
  if (!latest) {
    return policy === 'none' || isSupported ? 'deprecated' : 'ended';
  }
  if (!isSupported) {
    return 'no-promise';
  }

  return policy === 'latest-lines' ? 'newest-lines' : 'no-end';
}

/** Groups by the first letter of the title, for the links of a long index. */
function groupByLetter(summaries: readonly ComponentSummary[]): object[] {
  const order = new Intl.Collator('en');
  const sorted = summaries.toSorted((a, b) =>
    order.compare(a.definition.title, b.definition.title),
  );
  // NFD parts an accent from its letter.
  const findLetter = ({ definition }: ComponentSummary) =>
    /^[a-z]/i.exec(definition.title.normalize('NFD'))?.[0].toUpperCase() ?? '0–9';

  return Array.from(Map.groupBy(sorted, findLetter), ([heading, group]) => ({
    id: `letter-${heading.toLowerCase()}`,
    heading,
    rows: group.map(createComponentRow),
  }));
}

/** A component in a table. */
function createComponentRow(summary: ComponentSummary) {
  const { name, definition, latest, freshness, releaseDays } = summary;

  return {
    ...definition,
    name,
    // A name that only repeats the title is left out.
    requestName: name === definition.title.toLowerCase() ? undefined : name,
    // One per line, for the groups of the first page.
    labels: listLabels(summary)
      .map(([label, value]) => `${label}=${value}`)
      .join('\n'),
    isHeld: freshness.state === 'held',
    latest: latest?.version,
    instead: latest ? '' : nameReplacement(summary),
    day: latest?.releaseTimestamp && cutDay(latest.releaseTimestamp),
    isObserved: latest?.timestampKind === 'observed',
    releases: formatCount(releaseDays.length, 'day'),
    ticks: drawMarks(releaseDays.map(countDaysSinceEpoch), '0', '1'),
  };
}

/** The replacement of a component, `Edge node 2.2`; empty if there is none. */
function nameReplacement({ definition, replacement }: ComponentSummary): string {
  const { title = definition.replacedBy, version } = replacement ?? {};
  return [title, version].filter(Boolean).join(' ');
}

/** The labels that divide the components: those with several values. */
function listGroupings(summaries: readonly ComponentSummary[]): string[] {
  const labelsByName = Map.groupBy(summaries.flatMap(listLabels), ([name]) => name);
  const names: string[] = [];
  for (const [name, labels] of labelsByName) {
    if (new Set(labels.map(([, value]) => value)).size > 1) {
      names.push(name);
    }
  }
  return names;
}

function listLabels({ definition }: ComponentSummary): [name: string, value: string][] {
  return Object.entries(definition.labels ?? {});
}
