import type { ComponentSummary } from '../model/component.ts';
import type { Table } from '../report/table.ts';

const mostLines = 4;

/** The state of the index at a glance. */
export function summaryTable(summaries: readonly ComponentSummary[]): Table {
  return {
    headings: ['component', 'latest', 'supported lines', 'releases', 'freshness'],
    rows: summaries.map((summary) => [
      summary.name,
      summary.latest?.version ?? '-',
      supportedLines(summary),
      summary.releases,
      describe(summary),
    ]),
  };
}

function supportedLines({ lines }: ComponentSummary): string {
  const supported = lines.filter((line) => line.isSupported).map((line) => line.name);
  if (supported.length === 0) return '-';
  const newest = supported.slice(-mostLines).toReversed().join(', ');
  return supported.length > mostLines ? `${newest}, +${supported.length - mostLines}` : newest;
}

function describe({ freshness }: ComponentSummary): string {
  const { state, failures, checkedOn } = freshness;
  if (state === 'stale' && failures > 0) return `stale (${failures === 1 ? '1 day' : `${failures} days`})`;
  return checkedOn === undefined || state === 'static' ? state : `${state} ${checkedOn}`;
}
