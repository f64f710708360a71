import { cutDay, type Day } from '../../core/model/dates.ts';
import { findContradiction, rankStrength } from '../../core/model/digest.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { maxArtifacts, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { formatList } from '../../core/text/wording.ts';
import { listRecordedDigests } from '../gate/rules/other-bytes.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import type { SoundAnswer } from './sound-answer.ts';

/** A source's statement on a recorded release. */
export interface SourceStatement {
  release: StatedRelease;
  answer: SoundAnswer;
}

/** A recorded published day stays. An observed day gives way to a published one: the version existed by then, perhaps earlier. */
export function mergeTimestamp(
  entry: RecordedRelease,
  statement: SourceStatement,
  report: MergeReport,
): void {
  const { id } = statement.answer;
  const { releaseTimestamp: publishedAt } = statement.release;
  const { releaseTimestamp: recorded } = entry;

  if (publishedAt === undefined) {
    if (recorded === undefined) {
      entry.releaseTimestamp = entry.firstSeen ?? report.day;
      entry.timestampKind = 'observed';
      const day = `${entry.releaseTimestamp} (observed)`;
      report.change('corrected', entry, `no day → ${day}: ${id} lists it, without a day`);
    }
    return;
  }

  if (recorded !== undefined && entry.timestampKind !== 'observed') {
    return;
  }
  if (recorded !== undefined && cutDay(publishedAt) > cutDay(recorded)) {
    const conflict = `${id} dates ${entry.version} ${publishedAt}, but it was seen on ${cutDay(recorded)}.`;
    report.reportFinding('notice', `${conflict} The recorded day stays.`, `${id} day`);
    return;
  }

  const days = `${recorded ?? 'no day'} → ${publishedAt} (published)`;
  report.change('corrected', entry, `${days}: ${id} states the day`);
  entry.releaseTimestamp = publishedAt;
  entry.timestampKind = 'published';
  if (!isLater(entry.notListedOn, publishedAt)) {
    delete entry.notListedOn;
  }
}

/** Whether a source did not list a release on a day after its stated day, or the release has no stated day. */
export function isLater(notListedOn: Day | undefined, publishedAt: string | undefined): boolean {
  if (notListedOn === undefined) {
    return false;
  }

  return publishedAt === undefined || notListedOn > cutDay(publishedAt);
}

/** Keeps the text within a line. */
const maxReplacedNamed = 3;

/**
 * Adds new artifacts, and stronger digests of the same bytes, without a report. Other bytes under a recorded name are recorded
 * as republished, and the gate holds them until a person accepts them. Bytes that the release has under another name are not new.
 */
export function mergeDigests(
  entry: RecordedRelease,
  { release: { digests }, answer: { id } }: SourceStatement,
  report: MergeReport,
): void {
  if (digests === undefined) {
    return;
  }

  const artifacts = new Map(Object.entries(entry.digests?.[id] ?? {}));
  const recordedDigests = listRecordedDigests(entry);
  const replacedFrom: string[] = [];
  const replacedTo: string[] = [];

  for (const [artifact, text] of Object.entries(digests)) {
    const before = artifacts.get(artifact);
    if (before === undefined) {
      if (artifacts.size < maxArtifacts) {
        artifacts.set(artifact, findStrongest(text));
      }
    } else if (!findContradiction(before, text)) {
      artifacts.set(artifact, uniteDigests(before, text));
    } else if (!recordedDigests.has(findStrongest(text))) {
      const to = findStrongest(text);
      artifacts.set(artifact, to);
      report.change('republished', entry, artifact);
      replacedFrom.push(`${artifact} ${before}`);
      replacedTo.push(`${artifact} ${to}`);
    }
  }

  if (replacedTo.length > 0) {
    entry.republished = {
      on: report.day,
      from: toLine(formatList(replacedFrom, maxReplacedNamed)),
      to: toLine(formatList(replacedTo, maxReplacedNamed)),
    };
  }

  entry.digests = sortKeys({ ...entry.digests, [id]: sortKeys(Object.fromEntries(artifacts)) });
}

/** The input is sorted, weakest first. */
function findStrongest(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}

function uniteDigests(before: string, text: string): string {
  const digests = new Set([...before.split(' '), findStrongest(text)]);
  return [...digests].sort((a, b) => rankStrength(a) - rankStrength(b)).join(' ');
}

function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

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

  reportFinding(level: 'warning' | 'notice', message: string, kind = message): void {
    this.findings.push({ level, subject: this.#component, message, kind });
  }
}
