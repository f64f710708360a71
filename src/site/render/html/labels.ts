import { grouped } from '../../../core/text.ts';
import type { ComponentSummary } from '../../../decide/component.ts';

/** The labels of a component, one per line, for the filters of the pages. */
export function labelsOf({ definition }: Pick<ComponentSummary, 'definition'>): string {
  return Object.entries(definition.labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** Labels that only some components have. */
export function labelNames(summaries: readonly ComponentSummary[]): string[] {
  const labels = new Set(summaries.flatMap((summary) => labelsOf(summary).split('\n').filter(Boolean)));
  const values = Map.groupBy(labels, (label) => label.split('=')[0]!);
  return [...values.keys()].filter((name) => values.get(name)!.length > 1);
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
    .map(({ label, length }) => ({ label, text: `${label.replace('=', ': ')} (${grouped(length)})` }));
}

const mostChips = 12;
