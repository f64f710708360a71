import type { WorksWith } from '../core/schemas/definition/works-with.ts';
import type { JournalEvent } from '../core/schemas/recorded/journal.ts';
import type { ComponentFreshness } from './component-freshness.ts';
import type { Judged } from './judge.ts';

/** Everything known about one component on one day. */
export interface Component extends Judged {
  /** The keys that the definition inherits from the site's defaults. */
  readonly inherited?: readonly string[];
  /** Its recorded events up to that day. */
  readonly journal: readonly JournalEvent[];
  readonly freshness: ComponentFreshness;
  /** The component that replaces it, judged on the same day. */
  readonly replacement?: Omit<Judged, 'unadmitted'>;
  /** The statements of other components on it, by their names. */
  readonly statedBy?: WorksWith | undefined;
}

/** Ids contain a component's first name and survive renames, because readers remember ids. */
export function nameInIds({ name, definition }: Pick<Component, 'name' | 'definition'>): string {
  return definition.renamedFrom?.[0] ?? name;
}

/** Components by each of their names: events before a renaming have the former one. */
export function mapByNames<Named extends Pick<Component, 'name' | 'definition'>>(
  components: readonly Named[],
): ReadonlyMap<string, Named> {
  const byName = new Map<string, Named>();
  for (const component of components) {
    for (const name of [component.name, ...(component.definition.renamedFrom ?? [])]) {
      byName.set(name, component);
    }
  }
  return byName;
}
