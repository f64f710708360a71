import type { ComponentState } from '../decide/component.ts';
import { counted, toLine } from '../core/text.ts';
import type { Table } from './reporter.ts';

const headings = [
  'component',
  'latest',
  'supported lines',
  'releases',
  'freshness',
  'checked',
  'changed',
  'trouble',
];
const longestReason = 60;

/** The state of the index at a glance. */
export function componentsTable(components: readonly ComponentState[]): Table {
  return {
    headings,
    rows: components.map((component) => {
      const { name, latest = '-', releases, freshness } = component;
      const { state, checkedOn = '-', changedOn = '-' } = freshness;
      const [lines, problem] = [supportedLines(component), worstTrouble(freshness)];
      return [name, latest, lines, releases, state, checkedOn, changedOn, problem];
    }),
  };
}

function supportedLines({ supportedLines, newestLines }: ComponentState): string {
  if (supportedLines === 0) return '-';
  const newest = newestLines.join(', ');
  const more = supportedLines - newestLines.length;
  return more > 0 ? `${newest}, +${more}` : newest;
}

/** The worst problem of its sources: for how many days, and why. */
function worstTrouble(freshness: ComponentState['freshness']): string {
  const worst =
    freshness.troubles.find(({ kind }) => kind === 'held') ??
    freshness.troubles.find(({ failures }) => failures === freshness.failures);
  if (!worst) return freshness.state === 'stale' ? `not asked since ${freshness.checkedOn}` : '-';
  // The finding names the address.
  const reason = toLine(worst.reason.replace(/^(?:GET|HEAD) \S+?:? /, ''), longestReason);
  const others = freshness.troubles.length - 1;
  const days = worst.failures === 0 ? '' : `${counted(worst.failures, 'day')}: `;
  return `${days}${reason}${others > 0 ? ` (+${others})` : ''}`;
}
