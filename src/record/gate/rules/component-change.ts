import type { Day } from '../../../core/model/dates.ts';
import type { Definition } from '../../../core/schemas/definition/definition.ts';
import type { Freshness } from '../../../core/schemas/recorded/freshness.ts';
import type { HeldChange } from '../../../core/schemas/recorded/held.ts';
import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import type { RecordedData } from '../../../core/schemas/recorded/recorded.ts';
import type { ComponentState } from './reader-facts.ts';

/** A component at its last good state, and everything that would change. */
export interface ComponentChange {
  readonly name: string;
  readonly day: Day;
  readonly journal: readonly JournalEvent[];
  readonly before: ComponentState;
  readonly after: ComponentState;
  /** The commit of the definition before. */
  readonly commit: string;
  readonly edits: readonly DefinitionEdit[];
  readonly freshness: { readonly before: Freshness; readonly after: Freshness };
  /** The sources with releases in their last answer that are neither recorded nor waiting. */
  readonly incomplete: ReadonlySet<string>;
  /** The sources without an answer since the last run. */
  readonly silent: ReadonlySet<string>;
  /** What waited after the last run. */
  readonly earlier: readonly HeldChange[];
  /** The ids of decisions that no run has used. */
  readonly accepted: ReadonlySet<string>;
  /** The day on which a run last used a decision about the component. */
  readonly acceptedOn: Day;
  /** The stated days of new versions that gathering rejected. */
  readonly rejectedDays?: ReadonlyMap<string, Day>;
}

/** An edit of a definition, or of a default that it inherits. */
export interface DefinitionEdit {
  /** Names it in the journal. */
  readonly id: string;
  readonly cause: string;
  /** The new definition without this edit. */
  readonly without: Definition;
}

/** What counts from now on. A component that waits keeps its definition. */
export interface Verdict {
  readonly name: string;
  readonly data: RecordedData;
  readonly held: readonly HeldChange[];
  /** The edits that count. */
  readonly edits: readonly DefinitionEdit[];
  /** The decisions that were used. */
  readonly used: readonly string[];
}
