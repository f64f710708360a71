import type { ComponentState } from '../model/component.ts';
import type { Table } from '../report/table.ts';

/** The state of the index at a glance. */
export function summaryTable(components: readonly ComponentState[]): Table {
  return {
    headings: ['component', 'latest', 'supported lines', 'releases', 'freshness'],
    rows: components.map((component) => [
      component.name,
      component.latest ?? '-',
      supportedLines(component),
      component.releases,
      describe(component),
    ]),
  };
}

function supportedLines({ supportedLines, newestLines }: ComponentState): string {
  if (supportedLines === 0) return '-';
  const newest = newestLines.join(', ');
  const more = supportedLines - newestLines.length;
  return more > 0 ? `${newest}, +${more}` : newest;
}

function describe({ freshness }: ComponentState): string {
  const { state, failures, checkedOn } = freshness;
  if (state === 'stale' && failures > 0) return `stale (${failures === 1 ? '1 day' : `${failures} days`})`;
  return checkedOn === undefined || state === 'static' ? state : `${state} ${checkedOn}`;
}
