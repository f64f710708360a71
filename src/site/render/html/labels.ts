import type { ComponentSummary } from '../../../decide/component.ts';

/** The labels of a component, one per line, for the groups of the first page. */
export function joinLabels({ definition }: Pick<ComponentSummary, 'definition'>): string {
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
