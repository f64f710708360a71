import type { Day } from '../core/dates.ts';
import type { ComponentSummary } from './component.ts';

/** The first day without support of one release line of a component, or of several that end together. */
export interface EndOfSupport {
  readonly day: Day;
  readonly component: string;
  readonly title: string;
  /** Names of the lines, oldest first. */
  readonly lines: readonly string[];
  /** Whether nothing of the component is supported any more. */
  readonly isOfAll: boolean;
}

/** Every end of support that is stated, past and ahead, soonest first; those of a day by component. */
export function endsOfSupport(summaries: readonly ComponentSummary[]): EndOfSupport[] {
  return summaries.flatMap(endsOf).sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}

function endsOf({ name, definition, lines }: ComponentSummary): EndOfSupport[] {
  const byDay = Map.groupBy(
    lines.filter((line) => line.eolFrom !== undefined),
    (line) => line.eolFrom!,
  );
  return Array.from(byDay, ([day, ending]) => ({
    day,
    component: name,
    title: definition.title,
    lines: ending.map((line) => line.name),
    isOfAll: definition.support?.policy === 'ended',
  }));
}
