import { grouped } from '../../../core/text/text.ts';
import type { ComponentSummary } from '../../../decide/component.ts';

/** The labels of a component, one per line, for the filters of the pages. */
export function labelsOf({ definition }: Pick<ComponentSummary, 'definition'>): string {
  return Object.entries(definition.labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** Labels that only some components have. */
export function labelNames(summaries: readonly ComponentSummary[]): string[] {
  const labels = summaries.flatMap(({ definition }) => Object.entries(definition.labels ?? {}));
  return [...Map.groupBy(labels, ([name]) => name)]
    .filter(([, of]) => new Set(of.map(([, value]) => value)).size > 1)
    .map(([name]) => name);
}

/** Each label with the number of its components, the most frequent first; empty where none would divide them. */
export function labelChips(summaries: readonly ComponentSummary[]) {
  const all = summaries.flatMap((summary) => labelsOf(summary).split('\n').filter(Boolean));

  const counts = Array.from(
    Map.groupBy(all, (label) => label),
    ([label, { length }]) => ({ label, length }),
  );

  return counts
    .filter(({ length }) => length < summaries.length)
    .sort((a, b) => b.length - a.length)
    .slice(0, mostChips)
    .map(({ label, length }) => ({
      label,
      text: `${label.replace('=', ': ')} (${grouped(length)})`,
    }));
}

const mostChips = 12;
