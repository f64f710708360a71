import type {
  PublishedChange,
  PublishedNamedPolicy,
} from '../../core/schemas/published/small-files.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import type { Run } from '../../core/schemas/recorded/journal.ts';
import type { Component, ComponentSummary } from '../../decide/component.ts';
import type { ListedChange } from '../../record/journal/events/published-events.ts';

/** Facts about the whole index, for its documents and pages. */
export interface SiteInput {
  summaries: readonly ComponentSummary[];
  /** The newest changes, newest first. */
  changes: readonly PublishedChange[];
  /** The newest changes as people read them. */
  listed: readonly ListedChange[];
  /** Years with a file of changes, newest first. */
  years: readonly string[];
  policies: readonly PublishedNamedPolicy[];
  /** Runs of the last 90 days, newest first. */
  runs: readonly Run[];
  /** The oldest run. Examples show it, since it never changes. */
  firstRun: Run | undefined;
  delay: StatusFile['delay'];
  /** Digest of all inputs of the build. */
  inputs: string;
  /** The component that examples show; absent in an empty index. */
  sample: Component | undefined;
}
