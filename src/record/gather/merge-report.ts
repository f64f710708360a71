import { daysBetween, type Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { Freshness } from '../../core/schemas/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';

/** A change that a run made in the recorded data of a component. */
export interface RecordedChange {
  kind: 'new' | 'deprecated' | 'withdrawn' | 'returned' | 'corrected' | 'republished';
  version: string;
  /** The change in words; empty where the kind says it all. */
  detail: string;
}

type UnsteadyField = 'changelogUrl' | 'deprecated' | 'withdrawnSince' | 'isPrerelease';
type Unsteady = NonNullable<Freshness['unsteady']>;

/** Reports a merge: every value that it changes leaves a line in the report. */
export class MergeReport {
  readonly changes: RecordedChange[] = [];
  readonly findings: Finding[] = [];
  readonly unsteady: Unsteady;
  readonly day: Day;
  readonly #component: string;
  readonly #fresh = new Set<RecordedRelease>();

  constructor(component: string, day: Day, unsteady: Unsteady) {
    this.#component = component;
    this.day = day;
    this.unsteady = { ...unsteady };
  }

  add(entry: RecordedRelease): void {
    this.#fresh.add(entry);
    this.changes.push({ kind: 'new', version: entry.version, detail: '' });
  }

  /** Whether it is new in this run: it is reported as new, and nothing else of it. */
  isFresh(entry: RecordedRelease): boolean {
    return this.#fresh.has(entry);
  }

  change(kind: Exclude<RecordedChange['kind'], 'new'>, entry: RecordedRelease, detail: string): void {
    if (!this.isFresh(entry)) this.changes.push({ kind, version: entry.version, detail });
  }

  /** Sets or takes away a value, and counts how often that has happened. */
  set<Field extends UnsteadyField>(
    entry: RecordedRelease,
    field: Field,
    to: RecordedRelease[Field] | undefined,
  ): void {
    const times = this.timesChanged(entry, field) + 1;
    if (!this.isFresh(entry)) this.unsteady[`${entry.version} ${field}`] = { on: this.day, times };
    if (to === undefined) delete entry[field];
    else entry[field] = to;
  }

  timesChanged({ version }: RecordedRelease, field: UnsteadyField): number {
    return this.unsteady[`${version} ${field}`]?.times ?? 0;
  }

  /** Each change has to wait twice as long as the one before, so that an upstream that changes to and fro does not fill the journal. */
  isTooSoon(entry: RecordedRelease, field: UnsteadyField): boolean {
    const { on, times } = this.unsteady[`${entry.version} ${field}`] ?? { on: this.day, times: 0 };
    return times > 1 && daysBetween(on, this.day) < 2 ** (times - 1);
  }

  finding(level: 'warning' | 'notice', message: string, kind = message): void {
    this.findings.push({ level, subject: this.#component, message, kind });
  }
}
