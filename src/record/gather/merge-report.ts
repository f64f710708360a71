import { daysBetween, type Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { Correction, RecordedRelease } from '../../core/schemas/recorded.ts';
import { defined, toLine } from '../../core/text.ts';

/** What a run changed in the recorded data of a component. */
export interface RecordedChange {
  kind: 'new' | 'deprecated' | 'withdrawn' | 'left out' | 'returned' | 'corrected' | 'republished';
  version: string;
  /** What changed, for a person; empty where the kind says it all. */
  detail: string;
}

type TextField = 'releaseTimestamp' | 'changelogUrl' | 'deprecated' | 'withdrawnSince' | 'leftOutSince';

interface Corrected {
  field: Correction['field'];
  from: string | undefined;
  to: string | undefined;
  reason: string;
}

/** Reports a merge: every value that it changes leaves a correction beside it and a line in the report. */
export class MergeReport {
  readonly changes: RecordedChange[] = [];
  readonly findings: Finding[] = [];
  readonly #component: string;
  readonly #day: Day;
  readonly #fresh = new Set<RecordedRelease>();

  constructor(component: string, day: Day) {
    this.#component = component;
    this.#day = day;
  }

  add(entry: RecordedRelease): void {
    this.#fresh.add(entry);
    this.changes.push({ kind: 'new', version: entry.version, detail: '' });
  }

  /** A release that is new in this run is reported as new, and nothing else of it. */
  change(kind: Exclude<RecordedChange['kind'], 'new'>, entry: RecordedRelease, detail: string): void {
    if (!this.#fresh.has(entry)) this.changes.push({ kind, version: entry.version, detail });
  }

  correct(entry: RecordedRelease, field: TextField, to: string | undefined, reason: string): void {
    this.record(entry, { field, from: entry[field], to, reason });
    if (to === undefined) delete entry[field];
    else entry[field] = to;
  }

  /** A release that is new in this run has nothing to correct. */
  record(entry: RecordedRelease, { field, from, to, reason }: Corrected): void {
    if (this.#fresh.has(entry)) return;
    entry.corrections = [
      ...(entry.corrections ?? []),
      defined({ on: this.#day, field, from, to, reason: toLine(reason) }),
    ];
  }

  /** Each change has to wait twice as long as the one before, so that an upstream that wavers does not fill the corrections. */
  isTooSoon(entry: RecordedRelease, field: Correction['field']): boolean {
    const past = entry.corrections?.filter((correction) => correction.field === field) ?? [];
    return past.length > 1 && daysBetween(past.at(-1)!.on, this.#day) < 2 ** (past.length - 1);
  }

  finding(level: 'warning' | 'notice', message: string): void {
    this.findings.push({ level, subject: this.#component, message });
  }
}
