import type { ComponentState } from '../../decide/component.ts';
import { counted, toLine } from '../../core/text.ts';
import type { Table } from './report.ts';

const longestReason = 60;

/** The state of the index at a glance. */
export function summaryTable(components: readonly ComponentState[]): Table {
  return {
    headings: [
      'component',
      'latest',
      'supported lines',
      'releases',
      'freshness',
      'checked',
      'changed',
      'trouble',
    ],
    rows: components.map((component) => {
      const { name, latest = '-', releases, freshness } = component;
      const { state, checkedOn = '-', changedOn = '-' } = freshness;
      return [
        name,
        latest,
        supportedLines(component),
        releases,
        state,
        checkedOn,
        changedOn,
        trouble(freshness),
      ];
    }),
  };
}

function supportedLines({ supportedLines, newestLines }: ComponentState): string {
  if (supportedLines === 0) return '-';
  const newest = newestLines.join(', ');
  const more = supportedLines - newestLines.length;
  return more > 0 ? `${newest}, +${more}` : newest;
}

/** The worst of what is wrong with its sources: for how many days, and why. */
function trouble(freshness: ComponentState['freshness']): string {
  const worst =
    freshness.troubles.find(({ kind }) => kind === 'held') ??
    freshness.troubles.find(({ failures }) => failures === freshness.failures);
  if (!worst) return freshness.state === 'stale' ? `not asked since ${freshness.checkedOn}` : '-';
  const others = freshness.troubles.length - 1;
  const days = worst.failures === 0 ? '' : `${counted(worst.failures, 'day')}: `;
  return `${days}${inShort(worst.reason)}${others > 0 ? ` (+${others})` : ''}`;
}

/** Without the address, which the finding names. */
function inShort(reason: string): string {
  return toLine(reason.replace(/^(?:GET|HEAD) \S+?:? /, ''), longestReason);
}
