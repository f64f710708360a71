import type { Day } from '../../core/model/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';

/** A change of a component's recorded data by a run. */
export interface RecordedChange {
  kind: 'new' | 'deprecated' | 'withdrawn' | 'returned' | 'corrected' | 'republished';
  version: string;
  /** The change in words; empty if the kind suffices. */
  detail: string;
}

/** The report of a merge, with an entry for every changed value. */
export class MergeReport {
  readonly changes: RecordedChange[] = [];
  readonly findings: Finding[] = [];
  readonly day: Day;
  readonly #component: string;
  readonly #fresh = new Set<RecordedRelease>();

  constructor(component: string, day: Day) {
    this.#component = component;
    this.day = day;
  }

  add(entry: RecordedRelease): void {
    this.#fresh.add(entry);
    this.changes.push({ kind: 'new', version: entry.version, detail: '' });
  }

  /** Whether it is new in this run. No other change of it is reported then. */
  isFresh(entry: RecordedRelease): boolean {
    return this.#fresh.has(entry);
  }

  change(
    kind: Exclude<RecordedChange['kind'], 'new'>,
    entry: RecordedRelease,
    detail: string,
  ): void {
    if (!this.isFresh(entry)) {
      this.changes.push({ kind, version: entry.version, detail });
    }
  }

  finding(level: 'warning' | 'notice', message: string, kind = message): void {
    this.findings.push({ level, subject: this.#component, message, kind });
  }
}
