import type { Day } from '../core/dates.ts';
import { lastFreePhase, severalPhases } from '../core/phases.ts';
import type { ComponentSummary, LineSummary } from './component.ts';

/** The first day without support of one release line of a component, or of several that end together. */
export interface EndOfSupport {
  readonly day: Day;
  readonly component: string;
  readonly title: string;
  /** Names of the lines, oldest first. */
  readonly lines: readonly string[];
  readonly dayKind?: 'observed' | undefined;
  /** The phase with which support ends, where the lines have several. */
  readonly phase?: string | undefined;
  /** Whether nothing of the component is supported any more. */
  readonly isOfAll: boolean;
}

/** Every end of support that is stated, past and ahead, soonest first; those of a day by component. */
export function endsOfSupport(summaries: readonly ComponentSummary[]): EndOfSupport[] {
  return summaries.flatMap(endsOf).sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}

function endsOf({ name, definition, lines }: ComponentSummary): EndOfSupport[] {
  const dated = lines.filter((line) => line.eolFrom !== undefined);
  const phaseOf = ({ phases }: LineSummary) => lastFreePhase(severalPhases(phases))?.name;
  const byDay = Map.groupBy(dated, (line) => `${line.eolFrom} ${line.eolKind} ${phaseOf(line)}`);
  return Array.from(byDay.values(), (ending) => ({
    day: ending[0]!.eolFrom!,
    dayKind: ending[0]!.eolKind,
    phase: phaseOf(ending[0]!),
    component: name,
    title: definition.title,
    lines: ending.map((line) => line.name),
    isOfAll: definition.support?.policy === 'ended',
  }));
}
